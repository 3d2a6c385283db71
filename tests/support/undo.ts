/** What a test's helper has begun and what ends it: the set-up of the screens' tests carries it out (`screens.ts`). */
const begun = new Set<() => unknown>()

/** @param end is called once, after the test, when its screens are gone; in the order in which it was asked for */
export function afterThisTest(end: () => unknown): void {
  begun.add(end)
}

/** Ends all that was begun. */
export async function undo(): Promise<void> {
  const ends = [...begun]
  begun.clear()
  for (const end of ends) await end()
}
