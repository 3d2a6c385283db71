/**
 * The CRMs of this device if there are several (decisions/config): the CRM on the screen, and the others, to which unsent
 * work is sent as well. With a single CRM no other file of this folder is loaded.
 */
import type { Database } from '#data/database/database.ts'
import type { Session } from '#schemas/device/session.ts'
import type { CrmState, SessionServices } from '#data/context/app-context.tsx'
import { type ValueStore, createValueStore } from '#lib/value-store.ts'
import { storeScope } from '#lib/browser/crm-scope.ts'
import type { Suspendable } from './send-others.ts'
import type { DeviceSettings } from '#app/config/settings.ts'

export interface CrmsParts {
  settings: Pick<DeviceSettings, 'crms' | 'isNamed' | 'usable'>
  sessions: ValueStore<Session | null>
  scope: string
  userData: ValueStore<{ db: Database } | null>
  memory: { clear(): void }
  firstPaint: Promise<void>
  report: (problem: unknown) => void
}

/**
 * @returns the summaries of the CRMs, and `suspend`, which closes the stores of the other CRMs and returns a function
 * that opens them again
 */
export function createCrms(parts: CrmsParts): SessionServices['crms'] & Suspendable {
  const { settings, memory, firstPaint, report } = parts
  const states = createValueStore<readonly CrmState[]>([])
  const followIfSeveral = async () => {
    if (settings.crms().length < 2) return null
    const { followSeveral } = await import('./several.ts')
    return followSeveral({ ...parts, states })
  }
  const atStart = followIfSeveral().catch((error: unknown) => {
    report(error)
    return null
  })
  let sending: Suspendable | null = null
  void Promise.all([atStart, settings.usable, firstPaint])
    .then(async ([followed]) => {
      // A first start knows its CRMs only after it has read `config.json`.
      const several = followed ?? (await followIfSeveral())
      sending = (await several?.send()) ?? null
    })
    .catch(report)
  return {
    get: states.get,
    subscribe: states.subscribe,
    choose(other) {
      storeScope(other)
      // Filters and scroll positions belong to the requests of the CRM on the screen.
      memory.clear()
      location.assign('/')
    },
    suspend: async () => (await sending?.suspend()) ?? (() => undefined),
  }
}
