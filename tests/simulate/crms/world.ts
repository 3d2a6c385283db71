/** Three CRMs, the configurations that an operator may write of them, and what a phone keeps by name. */
import { databaseName } from '#data/database/database-name.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { crmAt } from '#app/config/env.ts'
import type { StoredSettings } from '#app/config/settings.ts'
import type { RuntimeConfig } from '#schemas/device/runtime-config.ts'
import { int, oneOf, type Random } from '../random.ts'
import { keysOfPhone, SHIPPED_KEYS, type KeyRules } from './keys.ts'

const CRMS = ['a', 'b', 'c'] as const
type Crm = (typeof CRMS)[number]

/** Addresses stay; ids are said, or not. */
const addressesOf = (crm: Crm) => ({
  apiEndpoint: `/${crm}/api/v1`,
  crmEndpoint: 'crm',
  fileStoreEndpoint: `/${crm}/files`,
})
export const crmOf = ({ apiEndpoint }: { apiEndpoint: string }): string => apiEndpoint.charAt(1)

export const DEFAULTS = {
  ...addressesOf('a'),
  securityEndpoint: 'security',
  securityKey: 'key',
  fileStoreErrorLogFolder: 'errors',
  imageSizeLimit: '10',
  appName: 'app',
  codeLabels: {},
}

/** One CRM with or without its id, or several in any order. */
export function anyConfig(random: Random): RuntimeConfig {
  const order = CRMS.map((crm) => ({ crm, at: random() })).toSorted((one, other) => one.at - other.at)
  const crms = order.slice(0, int(random, 1, CRMS.length)).map(({ crm }) => crm)
  if (random() < 0.5) return { crms: crms.map((crm) => ({ id: crm, name: crm, ...addressesOf(crm) })) }
  const only = oneOf(random, CRMS)
  return { ...addressesOf(only), ...(random() < 0.5 && { crmId: only }) }
}

/** What one of the places that may be wrong does. */
export interface Names {
  session: (scope: string) => string
  database: (user: string, scope: string) => Promise<string>
  /** Whose session goes when the CRM with today's names is left. */
  left: (pageScope: string) => string
  /** What a frame calls its CRM with. */
  frame: typeof crmAt
  /** Whether a page whose CRM is not named any more begins anew. */
  beginsAnew: boolean
  keys: KeyRules
}

export const SHIPPED: Names = {
  session: (scope) => scoped('session', scope),
  database: databaseName,
  left: () => '',
  frame: crmAt,
  beginsAnew: true,
  keys: SHIPPED_KEYS,
}

/** Each lets something of one CRM get to another. */
export const DEFECTS: Record<string, Partial<Names>> = {
  'one session for all': { session: () => 'session' },
  'one database for a user': { database: (user) => databaseName(user, '') },
  'the session of the page goes, not that of the CRM that is left': { left: (pageScope) => pageScope },
  'a frame has the part of a CRM that is not left yet': {
    frame: (scope, named) => named.find((each) => each.scope === scope) ?? null,
  },
  'a page goes on with the part of a CRM that is named no longer': { beginsAnew: false },
  'a login looks at the keys of all': { keys: { ...SHIPPED_KEYS, own: async () => () => true } },
  'a logout knows the sessions of its own CRM only': { keys: { ...SHIPPED_KEYS, knowsAll: false } },
  'the keys of the CRM that is left stay': { keys: { ...SHIPPED_KEYS, goes: () => false } },
}

export interface PhoneSession {
  issuer: string
  user: string
  scope: string
  /** The CRM has not been asked: nothing is sent. */
  expired: boolean
}

export interface Phone {
  kept: StoredSettings | null
  lastScope: string
  /** Who issued the tokens, by the session's name. */
  sessions: Map<string, PhoneSession>
  keys: ReturnType<typeof keysOfPhone>
  /** By database: for which CRM each change was saved, and what was read from one. */
  stores: Map<string, { scope: string; unsent: string[]; rows: string[] }>
}
