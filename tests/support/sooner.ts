/** A wait of whole seconds that a test would only sit through. */
import { vi } from 'vitest'
import { afterThisTest } from './undo.ts'

const TIMES = 20

/** For the rest of the test timers of exactly `ms` milliseconds ring 20 times sooner; all others, as those of waitFor, stay. */
export function sooner(ms: number): void {
  const { setTimeout: ring } = globalThis
  vi.stubGlobal('setTimeout', (call: () => void, after?: number, ...args: []) =>
    ring(call, after === ms ? ms / TIMES : after, ...args),
  )
  afterThisTest(() => vi.unstubAllGlobals())
}
