/** A sender that goes through what is open once, as when RxDB's push calls it and the gate lets one round pass. */
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import type { SenderParts } from '#sync/changes/send-change.ts'
import { createSender } from '#sync/changes/sender.ts'

export function oneRun(parts: Omit<SenderParts, 'wait' | 'failed'>): { drain(): Promise<void> } {
  let isOpen = false
  const gate: Gate = {
    async passed() {
      if (!isOpen) throw new GateClosed('one round')
      isOpen = false
    },
    failed: () => undefined,
    succeeded: () => undefined,
  }
  // what the device has refused is written again at once, what is left only in the next round
  const wait = () => (isOpen ? Promise.resolve() : new Promise<never>(() => undefined))
  const untimed = { wait, failed: () => undefined }
  const sender = createSender({ ...parts, ...untimed, gate, ageCheck: async () => null })
  return {
    async drain() {
      isOpen = true
      const open = await parts.store.open()
      await sender.push(open).catch((error: unknown) => {
        if (!(error instanceof GateClosed)) throw error
      })
    },
  }
}
