/** Fewest failures first, so that two that cannot be read take turns and hold up nothing else (RULES PL8). */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
