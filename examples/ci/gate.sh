#!/bin/sh
# Is the model calibrated enough to ship? Exit 0: yes, or nothing was found; 1: no; 2: could not run.
#
#   gate.sh PREDICTIONS [MODEL] [REPORT]
#
# PREDICTIONS: a file that `tare measure` reads. MODEL: a saved calibrator, which is applied first; "" is none.
# REPORT: a page of what was tested, whatever the answer is. TARE is the program ("tare"), ALPHA the level (0.01).
set -u
predictions=${1:?"name a file with predictions"}
model=${2:-}
report=${3:-}
tare=${TARE:-tare}
alpha=${ALPHA:-0.01}

if [ -n "$model" ]; then
  $tare check "$model" "$predictions" --alpha "$alpha"
else
  $tare test "$predictions" --gate --alpha "$alpha"
fi
answer=$?
if [ -n "$report" ] && [ "$answer" -ne 2 ]; then
  $tare report "$predictions" ${model:+--after "$model"} -o "$report" --quiet || exit 2
fi
exit "$answer"
