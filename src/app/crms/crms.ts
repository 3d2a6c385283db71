/**
 * The CRMs of this device if there are several (decisions/config): the one on the screen, and the others, to which unsent work
 * is sent as well. With a single CRM no other code of this is loaded.
 */
import type { CrmState, Services, UserData } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import { storeScope } from '#lib/browser/crm-scope.ts'
import type { Memory } from '#app/session/state/tab-memory.ts'
import type { SendOthers } from './send-others.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import type { DeviceSettings } from '#app/config/settings.ts'
import { createValueStore } from '#lib/value-store.ts'

interface Parts {
  settings: Pick<DeviceSettings, 'crms' | 'isNamed' | 'usable'>
  sessions: Pick<DeviceSessions, 'get' | 'subscribe'>
  /** Scope of the CRM on the screen. */
  scope: string
  userData: ValueStore<Pick<UserData, 'db'> | null>
  memory: Pick<Memory, 'clear'>
  /** Resolves once the first screen is painted. */
  firstPaint: Promise<void>
  report: (problem: unknown) => void
}

/** @returns the standings, and `letGo`, which closes the stores of the other CRMs and returns a function that opens them again */
export function createCrms(parts: Parts): Services['crms'] & Pick<SendOthers, 'letGo'> {
  const { settings, memory, firstPaint, report } = parts
  const standings = createValueStore<readonly CrmState[]>([])
  const followed = async () => {
    if (settings.crms().length < 2) return null
    const { followSeveral } = await import('./several.ts')
    return followSeveral({ ...parts, standings })
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
    get: standings.get,
    subscribe: standings.subscribe,
    choose(other) {
      storeScope(other)
      // filters and scroll positions belong to this CRM's requests
      memory.clear()
      location.assign('/')
    },
    letGo: async () => (await sending?.letGo()) ?? (() => undefined),
  }
}
