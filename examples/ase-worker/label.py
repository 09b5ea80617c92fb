"""Labels frames with any calculator of ASE: the operator ase.label in campaign.yaml."""
from functools import reduce
from importlib import import_module

from ase.calculators.calculator import PropertyNotImplementedError
from ase.calculators.singlepoint import SinglePointCalculator
from fanfold import Each, Frames, Output

made = []  # the calculator, which all frames of a stage share


def label(frames: Each[Frames], calculator: str, frame: Output[Frames], arguments: dict = {}):
    """Energy, forces and stress of frames by any calculator of ASE."""
    if not made:
        module, name = calculator.split(":")
        made.append(reduce(getattr, name.split("."), import_module(module))(**arguments))
    atoms = frames.one()
    atoms.calc = made[0]
    labels = {"energy": atoms.get_potential_energy(), "forces": atoms.get_forces()}
    if atoms.pbc.all():
        try:
            labels["stress"] = atoms.get_stress()
        except PropertyNotImplementedError:
            pass  # there are calculators without
    atoms.calc = SinglePointCalculator(atoms, **labels)
    frame.write(atoms)
