/** Settings (crm-contract 1): values of `config.json`, with the build's values as defaults. */
import { isCodeLabels, type CodeLabels, type RuntimeConfig } from '#schemas/device/runtime-config.ts'

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

/** Server that receives telemetry, and the share of devices that send everything (decisions/telemetry). */
export interface TelemetrySettings {
  endpoint: string
  /** Share of the devices that send everything, above 0 and at most 1. */
  sample: number
}

type Defaults = Env & {
  codeLabels: CodeLabels
  telemetry?: TelemetrySettings | null
  recoveryPublicKey?: string
}

export interface Settings extends Env {
  crmId: string
  crmName: string
  scope: string
  minimumVersion: string
  codeLabels: CodeLabels
  telemetry: TelemetrySettings | null
  /** The operator's recovery key, which opens user keys without the password (decisions/encryption); '' for none. */
  recoveryPublicKey: string
}

const NAMES = Object.keys(VARIABLES) as Name[]

/** Returns the build's values (`import.meta.env`); '' if unset. @param report called for wrong VITE_CODE_LABELS */
export function builtSettings(vars: Record<string, unknown>, report: (problem: string) => void): Defaults {
  const textOf = (variable: string) => {
    const value = vars[variable]
    return typeof value === 'string' ? value : ''
  }
  const endpoint = textOf('VITE_TELEMETRY_ENDPOINT')
  return {
    ...(Object.fromEntries(NAMES.map((name) => [name, textOf(VARIABLES[name])])) as Env),
    codeLabels: readCodeLabels(textOf('VITE_CODE_LABELS'), report),
    telemetry: endpoint === '' ? null : { endpoint, sample: 1 },
    recoveryPublicKey: textOf('VITE_RECOVERY_PUBLIC_KEY'),
  }
}

/** Returns the settings of one CRM: its values in `config.json`, and the defaults for missing ones. */
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
  const overrides = Object.entries(config).filter(([name]) => name in VARIABLES)
  return {
    ...defaults,
    ...Object.fromEntries(overrides.map(([name, value]) => [name, String(value)])),
    codeLabels,
    crmId,
    minimumVersion,
    telemetry: telemetry ? { sample: 1, ...telemetry } : (defaults.telemetry ?? null),
    recoveryPublicKey,
    crmName: '',
    scope: '',
  }
}

export interface KnownCrms {
  /** The CRM that was used first on this device; its storage names have no suffix. Null on a new device. */
  home: Settings | null
  used: readonly Settings[]
}

export const usedCrms = ({ home, used }: KnownCrms): readonly Settings[] => (home ? [home, ...used] : used)

/** @returns the settings of each CRM in `config.json`, each with its own scope; at least one */
export function crmsOf(
  defaults: Defaults,
  { crms, ...shared }: RuntimeConfig,
  known: KnownCrms,
  origin: string,
): [Settings, ...Settings[]] {
  if (!crms) {
    const only = settingsOf(defaults, shared)
    const before = usedCrms(known).find((each) => isSameCrm(each, only, origin))
    return [{ ...only, scope: before?.scope ?? '' }]
  }
  const all = crms.map(({ id, name, ...own }) => ({
    ...settingsOf(defaults, { ...shared, ...own, crmId: id }),
    crmName: name,
  }))
  const { home } = known
  // On a new device, the first CRM in `config.json` gets storage names without a scope.
  const homeIndex = home ? all.findIndex((each) => isSameCrm(home, each, origin)) : 0
  const [first, ...others] = all.map((each, index) => ({
    ...each,
    scope: index === homeIndex ? '' : each.crmId,
  }))
  return [first ?? settingsOf(defaults, shared), ...others]
}

/** Settings with which an iframe may call this scope's CRM; null if not named, or if another CRM's data is there. */
export function crmAt(scope: string, named: readonly Settings[], { home }: KnownCrms, origin: string) {
  const found = named.find((each) => each.scope === scope)
  const isAnothers = scope === '' && home && found && !isSameCrm(home, found, origin)
  return found && !isAnothers ? found : null
}

/** Returns one line for each required setting that is missing. */
export const missingIn = (settings: Settings): string[] =>
  NAMES.filter((name) => settings[name] === '').map(
    (name) => `設定 ${name} がありません（config.json の ${name} か、ビルドの ${VARIABLES[name]}）`,
  )

const ADDRESSES = ['apiEndpoint', 'crmEndpoint', 'fileStoreEndpoint'] as const satisfies Name[]

/** True if both mean the same CRM: by `crmId`, else by address. @param origin resolves addresses that are paths */
export function isSameCrm(one: Settings, other: Settings, origin: string): boolean {
  if (one.crmId !== '' && other.crmId !== '') return one.crmId === other.crmId
  const absolute = (address: string) => new URL(address, origin).href.replace(/\/$/, '')
  return ADDRESSES.every((name) => absolute(one[name]) === absolute(other[name]))
}

/** Parses `VITE_CODE_LABELS` (docs/operate.md), JSON such as `{"site": {"3": "機械室"}}`; {} if it is invalid. */
export function readCodeLabels(text: string | undefined, report: (problem: string) => void): CodeLabels {
  if (!text) return {}
  try {
    const labels: unknown = JSON.parse(text)
    if (isCodeLabels(labels)) return labels
  } catch {}
  report('設定 VITE_CODE_LABELS が正しくありません')
  return {}
}
