/**
 * The configuration of crm-contract 1: `config.json`, then Vite's environment as the default (`settings.ts`).
 */
import { type CodeLabels, isCodeLabels } from '#schemas/resources/pit-labels.ts'
import type { CrmConfig, RuntimeConfig } from '#schemas/device/runtime-config.ts'

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

/** Settings of telemetry: what is sent, and to which server (decisions/telemetry). */
export interface TelemetrySettings {
  /** Without `/v1/metrics`. */
  endpoint: string
  /** Share of the devices, more than 0 and at most 1. */
  sample: number
}

type Defaults = Env & {
  codeLabels: CodeLabels
  telemetry?: TelemetrySettings | null
  recoveryPublicKey?: string
}

export interface Settings extends Env {
  /** '' if not configured. */
  crmId: string
  /** Name of one of several CRMs; '' for a single one. */
  crmName: string
  /** Names the part of the device's storage that is its own (`crm-scope.ts`). */
  scope: string
  /** '' for any version. */
  minimumVersion: string
  codeLabels: CodeLabels
  /** Null: nothing is sent. */
  telemetry: TelemetrySettings | null
  /** Key by which user keys are wrapped besides the password (decisions/encryption); '' for none. */
  recoveryPublicKey: string
}

const NAMES = Object.keys(VARIABLES) as Name[]

/** @param vars `import.meta.env` @returns '' for unset values */
export function readEnv(vars: Record<string, unknown>): Env {
  const entries = NAMES.map((name) => {
    const value = vars[VARIABLES[name]]
    return [name, typeof value === 'string' ? value : '']
  })
  return Object.fromEntries(entries) as Env
}

/** Combines the values of `config.json` with the build's values as defaults. */
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
  const known = Object.entries(config).filter(([name]) => name in VARIABLES)
  const own = Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
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

export interface KnownCrms {
  /** The CRM that was used first on this device: its stores have names without a scope. Null on a new device. */
  home: Settings | null
  /** The other CRMs that were used on this device, with the settings of their last use. */
  used: readonly Settings[]
}

/** @returns settings of each CRM that `config.json` names, at least one, each with its own scope */
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
  // a new device begins with the first
  const at = home ? all.findIndex((each) => isSameCrm(home, each, origin)) : 0
  const [first, ...others] = all.map((each, index) => ({ ...each, scope: index === at ? '' : each.crmId }))
  // the schema requires at least one
  return [first ?? settingsOf(defaults, shared), ...others]
}

/**
 * @returns the settings by which a frame may call the CRM of this scope; null if `config.json` does not name it, or if
 * the data in this scope still belongs to another CRM, which a normal start has to remove first (`settings.ts`)
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

/** @param endpoint `VITE_TELEMETRY_ENDPOINT`, optional */
export const builtTelemetry = (endpoint: unknown): TelemetrySettings | null =>
  typeof endpoint === 'string' && endpoint !== '' ? { endpoint, sample: 1 } : null

/** @param key `VITE_RECOVERY_PUBLIC_KEY`, optional */
export const builtRecovery = (key: unknown): string => (typeof key === 'string' ? key : '')

/** Returns a line for each missing setting without which the CRM cannot be called. */
export const missingIn = (settings: Settings): string[] =>
  NAMES.filter((name) => settings[name] === '').map(
    (name) => `設定 ${name} がありません（config.json の ${name} か、ビルドの ${VARIABLES[name]}）`,
  )

const ADDRESSES = ['apiEndpoint', 'crmEndpoint', 'fileStoreEndpoint'] as const satisfies Name[]

/**
 * Compares by `crmId` if both have one, else by the addresses. Unsent work for one CRM is never sent to another.
 * @param origin the page's, for addresses that are paths
 */
export function isSameCrm(one: Settings, other: Settings, origin: string): boolean {
  if (one.crmId !== '' && other.crmId !== '') return one.crmId === other.crmId
  const absolute = (address: string) => new URL(address, origin).href.replace(/\/$/, '')
  return ADDRESSES.every((name) => absolute(one[name]) === absolute(other[name]))
}

/**
 * Labels of codes that have none in the specification, from `VITE_CODE_LABELS` (docs/operate.md).
 * @param text JSON such as `{"site": {"3": "機械室"}}`; may be unset
 * @param log called if the text is set but invalid; there are no labels then
 */
export function readCodeLabels(text: unknown, log: (message: string) => void): CodeLabels {
  if (text === undefined || text === '') return {}
  const labels = parsed(text)
  if (labels) return labels
  log('設定 VITE_CODE_LABELS が正しくありません')
  return {}
}

function parsed(text: unknown): CodeLabels | null {
  try {
    const labels: unknown = JSON.parse(String(text))
    return isCodeLabels(labels) ? labels : null
  } catch {
    return null
  }
}
