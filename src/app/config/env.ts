/**
 * The configuration of crm-contract 1: from Vite's environment, which is the default, and from `config.json`, which goes
 * before it (`settings.ts`).
 */
import type { CodeLabels } from '#schemas/pit-labels.ts'
import type { CrmConfig, RuntimeConfig } from '#schemas/runtime-config.ts'

const VARIABLES = {
  apiEndpoint: 'VITE_API_ENDPOINT',
  crmEndpoint: 'VITE_CRM_ENDPOINT',
  securityEndpoint: 'VITE_SECURITY_ENDPOINT',
  securityKey: 'VITE_SECURITY_KEY',
  fileStoreEndpoint: 'VITE_FILE_STORE_ENDPOINT',
  fileStoreErrorLogFolder: 'VITE_FILE_STORE_ERROR_LOG_FOLDER',
  imageSizeLimit: 'VITE_IMAGE_SIZE_LIMIT',
  appName: 'VITE_APP_NAME',
} as const

type Name = keyof typeof VARIABLES
export type Env = Record<Name, string>

/** Where the figures of the fleet go (decisions/telemetry). */
export interface TelemetrySettings {
  /** Without `/v1/metrics`. */
  endpoint: string
  /** Part of the devices, more than 0 and at most 1. */
  sample: number
}

type Defaults = Env & {
  codeLabels: CodeLabels
  telemetry?: TelemetrySettings | null
  recoveryPublicKey?: string
}

/** What the app runs with. */
export interface Settings extends Env {
  /** '' where nobody said one. */
  crmId: string
  /** Of one of several CRMs; '' where there is one. */
  crmName: string
  /** Which part of the device is its own (`crm-scope.ts`). */
  scope: string
  /** '' where any version will do. */
  minimumVersion: string
  codeLabels: CodeLabels
  /** Null: nothing is sent. */
  telemetry: TelemetrySettings | null
  /** Whom keys are wrapped for beside the password (decisions/encryption); '' where nobody. */
  recoveryPublicKey: string
}

const NAMES = Object.keys(VARIABLES) as Name[]

/** @param vars `import.meta.env` @returns '' for what is not set */
export function readEnv(vars: Record<string, unknown>): Env {
  const entries = NAMES.map((name) => {
    const value = vars[VARIABLES[name]]
    return [name, typeof value === 'string' ? value : '']
  })
  return Object.fromEntries(entries) as Env
}

/** What `config.json` says, else what the build says. */
export function settingsOf(
  defaults: Defaults,
  {
    codeLabels = defaults.codeLabels,
    crmId = '',
    minimumVersion = '',
    telemetry,
    recoveryPublicKey = defaults.recoveryPublicKey ?? '',
    ...config
  }: Omit<RuntimeConfig, 'crms'>,
): Settings {
  const said = Object.entries(config).filter(([name]) => name in VARIABLES)
  const own = Object.fromEntries(said.map(([name, value]) => [name, String(value)]))
  const sending = telemetry ? { sample: 1, ...telemetry } : (defaults.telemetry ?? null)
  return {
    ...defaults,
    ...own,
    codeLabels,
    crmId,
    minimumVersion,
    telemetry: sending,
    recoveryPublicKey,
    crmName: '',
    scope: '',
  }
}

/** What the device has of CRMs. */
export interface KnownCrms {
  /** Whose data has the names of before there were several; null on a device that has none yet. */
  home: Settings | null
  /** The others that were used, as they were when they were used last. */
  used: readonly Settings[]
}

/** @returns the settings of each CRM that `config.json` names, at least one; each has a scope of its own */
export function crmsOf(
  defaults: Defaults,
  { crms, ...shared }: RuntimeConfig,
  { home, used }: KnownCrms,
  origin: string,
): [Settings, ...Settings[]] {
  if (!crms) {
    const only = settingsOf(defaults, shared)
    const known = [...(home ? [home] : []), ...used].find((each) => isSameCrm(each, only, origin))
    return [{ ...only, scope: known?.scope ?? '' }]
  }
  const all = crms.map((crm) => ofOne(defaults, shared, crm))
  // a device that has nothing yet begins with the first
  const at = home ? all.findIndex((each) => isSameCrm(home, each, origin)) : 0
  const [first, ...others] = all.map((each, index) => ({ ...each, scope: index === at ? '' : each.crmId }))
  // the shape of the list says that there is one
  return [first ?? settingsOf(defaults, shared), ...others]
}

/**
 * @returns what the CRM of this scope may be called with beside the page; null where it is not named, and where the part of
 *   the device is still another's: that one is left by a start (`settings.ts`) before anything of it is used
 */
export function crmAt(
  scope: string,
  named: readonly Settings[],
  { home }: KnownCrms,
  origin: string,
): Settings | null {
  const found = named.find((each) => each.scope === scope)
  const isAnothers = scope === '' && home && found && !isSameCrm(home, found, origin)
  return found && !isAnothers ? found : null
}

function ofOne(defaults: Defaults, shared: RuntimeConfig, { id, name, ...own }: CrmConfig): Settings {
  return { ...settingsOf(defaults, { ...shared, ...own, crmId: id }), crmName: name }
}

/** @param endpoint `VITE_TELEMETRY_ENDPOINT`, which no build needs to say */
export const builtTelemetry = (endpoint: unknown): TelemetrySettings | null =>
  typeof endpoint === 'string' && endpoint !== '' ? { endpoint, sample: 1 } : null

/** @param key `VITE_RECOVERY_PUBLIC_KEY`, which no build needs to say */
export const builtRecovery = (key: unknown): string => (typeof key === 'string' ? key : '')

/** A line for each value that neither says: without all of them there is no way to the CRM. */
export const missingIn = (settings: Settings): string[] =>
  NAMES.filter((name) => settings[name] === '').map(
    (name) => `設定 ${name} がありません（config.json の ${name} か、ビルドの ${VARIABLES[name]}）`,
  )

/** What addresses a CRM and its file store. */
const ADDRESSES = ['apiEndpoint', 'crmEndpoint', 'fileStoreEndpoint'] as const satisfies Name[]

/**
 * By its own name where both say it, else by its addresses. What is unsent for one never goes to another.
 * @param origin the page's, for addresses that are paths
 */
export function isSameCrm(one: Settings, other: Settings, origin: string): boolean {
  if (one.crmId !== '' && other.crmId !== '') return one.crmId === other.crmId
  const whole = (address: string) => new URL(address, origin).href.replace(/\/$/, '')
  return ADDRESSES.every((name) => whole(one[name]) === whole(other[name]))
}
