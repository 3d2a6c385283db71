/**
 * A save of several, one write each: the device may take some and then no more.
 * @param write tells of each that is on the device
 * @param stopped told which those are, before it is thrown why
 */
export async function savingEach(
  write: (told: (key: string) => void) => Promise<void>,
  stopped: (saved: readonly string[]) => void,
): Promise<void> {
  const saved: string[] = []
  try {
    await write((key) => saved.push(key))
  } catch (error) {
    stopped(saved)
    throw error
  }
}
