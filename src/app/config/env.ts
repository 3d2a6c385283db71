/**
 * Settings of the app (crm-contract 1): values of `config.json`, and the build's values (Vite's environment) as
 * defaults. `settings.ts` decides when a new `config.json` applies.
 */
import { type CodeLabels, isCodeLabels, type RuntimeConfig } from '#schemas/device/runtime-config.ts'

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
  /** URL of the telemetry server, without `/v1/metrics`. */
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
  /** '' if not configured. */
  crmId: string
  /** Display name of the CRM if there are several; '' for a single CRM. */
  crmName: string
  /** Suffix of this CRM's storage names on the device (`crm-scope.ts`). */
  scope: string
  /** The oldest version that may be used; '' for no limit. */
  minimumVersion: string
  codeLabels: CodeLabels
  telemetry: TelemetrySettings | null
  /**
   * The operator's recovery key, which can decrypt user keys without the password (decisions/encryption); '' for none.
   */
  recoveryPublicKey: string
}

const NAMES = Object.keys(VARIABLES) as Name[]

/**
 * Returns the build's values; an unset value is ''.
 * @param vars `import.meta.env`
 * @param report called if VITE_CODE_LABELS is invalid
 */
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
  /**
   * The CRM that was used first on this device. The names of its databases and storage keys have no suffix. Null on a
   * new device.
   */
  home: Settings | null
  /** Other CRMs that were used on this device, each with its last settings. */
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

/**
 * @returns the settings with which a hidden iframe (`send-for.ts`) may call the CRM of this scope; null if
 * `config.json` does not name the CRM, or if the device still has data of another CRM in this scope
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

/** Returns one line for each required setting that is missing. */
export const missingIn = (settings: Settings): string[] =>
  NAMES.filter((name) => settings[name] === '').map(
    (name) => `設定 ${name} がありません（config.json の ${name} か、ビルドの ${VARIABLES[name]}）`,
  )

const ADDRESSES = ['apiEndpoint', 'crmEndpoint', 'fileStoreEndpoint'] as const satisfies Name[]

/**
 * True if both settings mean the same CRM: by `crmId` if both have one, else by address.
 * @param origin the page's origin, to resolve addresses that are paths
 */
export function isSameCrm(one: Settings, other: Settings, origin: string): boolean {
  if (one.crmId !== '' && other.crmId !== '') return one.crmId === other.crmId
  const absolute = (address: string) => new URL(address, origin).href.replace(/\/$/, '')
  return ADDRESSES.every((name) => absolute(one[name]) === absolute(other[name]))
}

/**
 * Parses `VITE_CODE_LABELS`: labels of codes for which the specification has no label (docs/operate.md).
 * @param text JSON such as `{"site": {"3": "機械室"}}`; may be unset
 * @param report called if the text is invalid; the result is then empty
 */
export function readCodeLabels(text: string | undefined, report: (problem: string) => void): CodeLabels {
  if (!text) return {}
  try {
    const labels: unknown = JSON.parse(text)
    if (isCodeLabels(labels)) return labels
  } catch {
    // Invalid JSON is reported below.
  }
  report('設定 VITE_CODE_LABELS が正しくありません')
  return {}
}
