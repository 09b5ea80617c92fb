"""Fit y = slope * x + offset to rows of numbers, on one node or several.

What distributed trainers do, in the standard library: every node has some of the
rows, node 0 listens at MASTER_ADDR:MASTER_PORT, the others send it their parts of the
gradient and get the new weights.  Sums are rounded once (math.fsum), so the result does
not depend on the number of nodes.
"""
import argparse
import json
import math
import os
import pathlib
import socket
import time

NODES = int(os.environ.get("NNODES", "1"))
RANK = int(os.environ.get("NODE_RANK", "0"))


def read_rows(directories):
    rows = []
    for directory in directories:
        for path in sorted(pathlib.Path(directory).glob("*.csv")):
            for line in path.read_text().splitlines():
                rows.append(tuple(float(word) for word in line.split(",")))
    return rows


def read_start(pretrained):
    if pretrained is None:
        return [0.0, 0.0]
    return json.loads((pathlib.Path(pretrained) / "weights.json").read_text())


def connect_all():
    """Lines to the other nodes; of any but node 0, the line to that one."""
    where = (os.environ.get("MASTER_ADDR", ""), int(os.environ.get("MASTER_PORT", "0")))
    if NODES == 1:
        return []
    if RANK == 0:
        with socket.create_server(("", where[1])) as server:
            return [server.accept()[0].makefile("rw") for _ in range(NODES - 1)]
    while True:
        try:
            return [socket.create_connection(where).makefile("rw")]
        except ConnectionRefusedError:
            time.sleep(0.05)  # node 0 does not listen yet


def send(line, value):
    line.write(json.dumps(value) + "\n")
    line.flush()


def receive(line):
    return json.loads(line.readline())


def gradient_parts(rows, weights):
    parts = []
    for x, y in rows[RANK::NODES]:
        error = weights[0] * x + weights[1] - y
        parts.append((error * x, error))
    return parts


def step(lines, rows, weights, rate):
    parts = gradient_parts(rows, weights)
    if RANK > 0:
        send(lines[0], parts)
        return receive(lines[0])
    for line in lines:
        parts += receive(line)
    weights = [weights[i] - rate / len(rows) * math.fsum(part[i] for part in parts)
               for i in range(2)]
    for line in lines:
        send(line, weights)
    return weights


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset", nargs="+", required=True)
    parser.add_argument("--pretrain")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()

    rows = read_rows(args.dataset)
    weights = read_start(args.pretrain)
    lines = connect_all()
    for epoch in range(args.epochs):
        weights = step(lines, rows, weights, args.rate)
        if args.verbose and RANK == 0:
            print(f"epoch {epoch}: {weights}", flush=True)
    if RANK == 0:
        model = pathlib.Path("model")
        model.mkdir(exist_ok=True)
        (model / "weights.json").write_text(json.dumps(weights) + "\n")


main()
