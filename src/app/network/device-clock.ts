/** The clock of this device, shared by its CRMs: each stamp is unique. */
import { createClock, type Clock } from '#lib/time/stamp.ts'

const [KEY, STAMP] = ['genba:device', 'genba:stamp']

export function deviceClock(): Clock {
  const device = localStorage.getItem(KEY) ?? crypto.randomUUID().slice(0, 8)
  localStorage.setItem(KEY, device)
  return createClock({
    now: Date.now,
    device,
    memory: { get: () => localStorage.getItem(STAMP), set: (stamp) => localStorage.setItem(STAMP, stamp) },
  })
}
