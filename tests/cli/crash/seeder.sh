# seeder.sh WORKSPACE - tells a program beside it the seed
set -e
mv "$1/seed" "$1/told.new"
mv "$1/told.new" "$1/told"
touch "$1/seed"
