/** Waits of a fixed time. What a test says after one did not happen is timed, not decided: `at-rest.ts` decides it. */

const OF_A_DAY = 'moments of a random day: nothing is said after them'

/** By file, or by folder: why there is no other way. */
const fixedSleeps: Readonly<Record<string, string>> = {
  'tests/bench/': 'figures are of real time, and of a page that was left alone for a while',
  'tests/fixed-sleeps.test.ts': 'shows what is refused',
  'tests/screens/': 'a picture is of what has come to rest',
  'tests/conform/cases/network.ts': 'so long another CRM has asked to be left alone',
  'tests/conform/demo-host.ts': 'a call that a relay holds',
  'tests/conform/variants/keys.ts': 'a CRM that is slow',
  'tests/e2e/drawn.ts': 'looks again and again',
  'tests/e2e/hands.e2e.ts': 'a finger, between two taps',
  'tests/e2e/kill.e2e.ts': 'the moments at which a browser is ended',
  'tests/e2e/layout-shift.e2e.ts': 'until a page has not moved for so long',
  'tests/e2e/rough-day.e2e.ts': 'a CRM that fails on and off',
  'tests/e2e/update.e2e.ts': 'a worker that installs slowly',
  'tests/features/double-taps.test.tsx': 'so long a button takes no second tap',
  'tests/support/async-test-util.ts': 'RxDB’s own tests ask for it',
  'tests/support/at-rest.ts': 'a turn of the event loop',
  'tests/support/device.ts': 'looks again and again',
  'tests/support/lock-device.ts': 'WebCrypto works on other threads, and nothing tells when it is done',
  'tests/support/near-midnight.ts': 'the app’s own timer, until midnight has passed',
  'tests/support/nothing-left.ts': 'looks again and again',
  'tests/support/webdriver.mjs': 'looks again and again',
  'tests/sync/scheduler/connectivity.test.ts': 'a timer that is turned by hand',
  'tests/sync/changes/discard.test.ts': OF_A_DAY,
  'tests/sync/leadership/lock-midway.test.ts': 'the moments of a save at which the lock comes',
  'tests/sync/changes/random-day.test.ts': OF_A_DAY,
  'tests/sync/scheduler/read-backoff.test.ts': 'a timer that is turned by hand',
  'tests/sync/scheduler/storm.test.ts': 'calls in a time are counted',
  'tests/sync/changes/tried-again.test.ts': 'a device that is slower than the wait',
  'tests/sync/photos/undo-photos.test.ts': OF_A_DAY,
  'tests/sync/changes/undo-save.test.ts': OF_A_DAY,
}

/** One that goes on after a time that is not 0; a limit of a whole test is none. */
const SLEEP = new RegExp(
  [
    String.raw`(?<![.\w])setTimeout\(\s*\w+,(?!\s*0\b)`,
    String.raw`new Promise.*(?<![.\w])setTimeout\(\s*\(`,
    String.raw`\bwaitForTimeout\(`,
    String.raw`\bsetTimeout\b.*from 'node:timers/promises'`,
  ].join('|'),
)

const isListed = (path: string, listed: string) =>
  path === listed || (listed.endsWith('/') && path.startsWith(listed))

/** @returns the files of the tests that sleep and are not listed, and what is listed and does not sleep */
export function sleepsOf(sources: readonly { path: string; text: string }[]): string[] {
  const sleeping = sources
    .filter(({ path, text }) => path.startsWith('tests/') && SLEEP.test(text))
    .map(({ path }) => path)
  const listed = Object.keys(fixedSleeps)
  const unlisted = sleeping.filter((path) => !listed.some((each) => isListed(path, each)))
  const idle = listed.filter((each) => !sleeping.some((path) => isListed(path, each)))
  return [...unlisted, ...idle]
}
