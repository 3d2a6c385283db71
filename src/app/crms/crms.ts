/**
 * The CRMs of this device if there are several (decisions/config): the one on the screen, and the others, to which unsent work
 * is sent as well. With a single CRM no other code of this is loaded.
 */
import type { Database } from '#data/database/database.ts'
import type { Session } from '#schemas/device/session.ts'
import type { CrmState, SessionServices } from '#data/context/app-context.tsx'
import { type ValueStore, createValueStore } from '#lib/value-store.ts'
import { storeScope } from '#lib/browser/crm-scope.ts'
import type { SendOthers } from './send-others.ts'
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
export function createCrms(parts: CrmsParts): SessionServices['crms'] & SendOthers {
  const { settings, memory, firstPaint, report } = parts
  const states = createValueStore<readonly CrmState[]>([])
  const followed = async () => {
    if (settings.crms().length < 2) return null
    const { followSeveral } = await import('./several.ts')
    return followSeveral({ ...parts, states })
  }
  // a first start has to read config.json first
  const known = followed().catch((error: unknown) => {
    report(error)
    return null
  })
  let sending: SendOthers | null = null
  void Promise.all([known, settings.usable, firstPaint])
    .then(async ([before]) => {
      const several = before ?? (await followed())
      sending = (await several?.send()) ?? null
    })
    .catch(report)
  return {
    get: states.get,
    subscribe: states.subscribe,
    choose(other) {
      storeScope(other)
      // filters and scroll positions belong to this CRM's requests
      memory.clear()
      location.assign('/')
    },
    suspend: async () => (await sending?.suspend()) ?? (() => undefined),
  }
}
