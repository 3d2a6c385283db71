/**
 * The CRMs of this device, where there are several (decision 0083): the one on the screen, and those that are sent to
 * beside it. With one there is nothing to choose, and nothing of this is loaded.
 */
import type { CrmStanding, Services, UserData, ValueStore } from '#data/app-context.tsx'
import { keepScope } from '#lib/crm-scope.ts'
import { keptStanding, watchStandings } from './kept-standing.ts'
import type { Memory } from './memory.ts'
import type { SendOthers } from './other-crms/send-others.ts'
import type { DeviceSessions } from './session-store.ts'
import type { DeviceSettings } from './settings.ts'
import { createValueStore } from './value-store.ts'

interface Parts {
  settings: Pick<DeviceSettings, 'crms' | 'isNamed' | 'usable'>
  sessions: DeviceSessions
  /** Of the CRM on the screen. */
  scope: string
  userData: ValueStore<UserData | null>
  memory: Pick<Memory, 'clear'>
  /** The first screen stands. */
  drawn: Promise<void>
  report: (problem: unknown) => void
}

/** @returns the standings, and `letGo`, which closes what is open beside this page and returns what opens it again */
export function createCrms(parts: Parts): Services['crms'] & Pick<SendOthers, 'letGo'> {
  const { settings, sessions, scope, userData, memory, drawn, report } = parts
  const standings = createValueStore<readonly CrmStanding[]>([])
  const look = () => {
    const all = standingsOf(settings, scope)
    if (all.length + standings.get().length > 0) standings.set(all)
  }
  look()
  watchStandings(look)
  const started = Promise.all([settings.usable, drawn]).then(async () => {
    look()
    if (standings.get().length === 0) return null
    const [{ followStanding }, { sendOthers }] = await Promise.all([
      import('./other-crms/standing.ts'),
      import('./other-crms/send-others.ts'),
    ])
    followStanding({ scope, sessions, data: userData })
    const scopes = standings.get().flatMap(({ isShown, session, scope: other }) => {
      return isShown || session === 'removed' ? [] : [other]
    })
    return sendOthers(scopes, report)
  })
  let sending: SendOthers | null = null
  void started.then((others) => (sending = others)).catch(report)
  return {
    get: standings.get,
    subscribe: standings.subscribe,
    choose(other) {
      keepScope(other)
      // filters and places of lists are those of this one's requests
      memory.clear()
      location.assign('/')
    },
    letGo: async () => (await sending?.letGo()) ?? (() => undefined),
  }
}

/** @returns none where there is one CRM */
function standingsOf(settings: Parts['settings'], shown: string): CrmStanding[] {
  const crms = settings.crms()
  if (crms.length < 2) return []
  return crms.map(({ scope, crmName, appName }) => {
    const kept = keptStanding(scope)
    const session = settings.isNamed(scope) ? kept.session : 'removed'
    return { ...kept, session, scope, name: crmName || appName, isShown: scope === shown }
  })
}
