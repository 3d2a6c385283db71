/** What a pull is made of beside its database and the CRM's answers, where it is tested alone. */
import { NEVER } from 'rxjs'
import { createInFlight } from '#sync/lib/in-flight.ts'

export const alone = () => ({
  gate: {
    passed: async () => undefined,
    failed: () => undefined,
    succeeded: () => undefined,
    mayHurry: () => false,
    isHeld: () => false,
  },
  random: () => 0.5,
  inFlight: createInFlight(),
  stop$: NEVER,
  wake: () => undefined,
})
