/** A circuit of one page, for tests that are about something else; its times can be turned. */
import { createCircuit, type Circuit, type CircuitParts } from '#sync/scheduler/circuit.ts'
import { afterTimeout } from '#sync/scheduler/circuits.ts'

export function newCircuit(parts: Partial<CircuitParts> = {}): Circuit {
  let kept: string | null = null
  return createCircuit({
    now: () => performance.now(),
    wall: Date.now,
    random: () => 0,
    after: afterTimeout,
    memory: { get: () => kept, set: (text) => void (kept = text) },
    hasLogin: true,
    ...parts,
  })
}
