/** What failed comes last, most often last of all: of two that cannot be read each has its turn (RULES PL8). */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
