/**
 * What nobody has caught, which the app says in one place (`app/diagnostics/watch-errors.ts`). The runner's own listeners would fail the run
 * of it, and are put aside meanwhile.
 */
export async function uncaughtIn(run: () => Promise<void>): Promise<unknown[]> {
  const uncaught: unknown[] = []
  const note = (reason: unknown) => void uncaught.push(reason)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  try {
    await run()
    // Node tells of a rejection after the turn that nobody caught it in
    await new Promise((done) => setImmediate(done))
  } finally {
    process.off('unhandledRejection', note)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return uncaught
}
