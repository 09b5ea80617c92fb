# SPDX-License-Identifier: BSD-3-Clause
# Copy to packages/fanfold/package.py of a repository of Spack's, and the archive
# that `make dist` makes to where Spack is called.

import os

from spack.package import *


class Fanfold(AutotoolsPackage):
    """Concurrent-learning campaigns for machine-learned interatomic potentials on
    Slurm and PBS: label, train, explore, select."""

    license("BSD-3-Clause", checked_by="the Fanfold maintainers")

    manual_download = True

    version("0.1.0")

    variant("mpi", default=True, description="Build the reduction, fanfold-reduce")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("libyaml@0.2.5:")
    depends_on("cjson@1.7.15:")
    depends_on("hwloc@2.4:")
    depends_on("libmd@1.0:")
    depends_on("xxhash@0.8:")
    depends_on("expat@2.2:")
    depends_on("zlib-api")
    depends_on("zstd@1.4:")
    depends_on("libarchive@3.6:")
    depends_on("mpi", when="+mpi")

    def url_for_version(self, version):
        return f"file://{join_path(os.getcwd(), f'fanfold-{version}.tar.xz')}"

    def configure_args(self):
        return self.with_or_without("mpi")
