"""Labels frames with effective medium theory: the operator emt.label in campaign.yaml."""
from ase.calculators.emt import EMT
from ase.calculators.singlepoint import SinglePointCalculator
from fanfold import Each, Frames, Output


def label(frames: Each[Frames], frame: Output[Frames]):
    """Energy and forces of frames by ASE's EMT."""
    atoms = frames.one()
    atoms.calc = EMT()
    labels = {"energy": atoms.get_potential_energy(), "forces": atoms.get_forces()}
    atoms.calc = SinglePointCalculator(atoms, **labels)
    frame.write(atoms)
