/** The gate before every call (`sync/gate.ts`), in virtual time. */
import { backoffDelay } from '#sync/backoff.ts'
import type { Gate } from '#sync/gate.ts'
import type { Proc } from './scheduler.ts'
import type { Phone } from './world.ts'

interface Parts {
  device: Phone
  proc: Proc
  /** The CRM is thought reachable, and the session is valid. */
  isOpen: () => boolean
}

export interface ModelGate extends Gate {
  /** The next one who waits goes at once. */
  hurry(): void
}

export function modelGate({ device, proc, isOpen }: Parts): ModelGate {
  const { time } = device.world
  let attempt = 0
  let notBefore = 0
  const hurry = () => {
    attempt = 0
    notBefore = 0
    device.poke()
  }
  return {
    async passed() {
      await device.until(proc, isOpen)
      if (notBefore > time.now) {
        time.after(notBefore - time.now, () => device.poke())
        await device.until(proc, () => notBefore <= time.now)
      }
      await device.until(proc, isOpen)
    },
    failed(retryAfterMs = 0) {
      notBefore = time.now + backoffDelay(attempt, device.chance(), retryAfterMs)
      attempt += 1
    },
    succeeded: hurry,
    hurry,
  }
}
