/**
 * The configuration of crm-contract 1: from Vite's environment, which is the default, and from `config.json`, which goes
 * before it (`settings.ts`).
 */
import type { CodeLabels } from '#schemas/codes.ts'
import type { RuntimeConfig } from '#schemas/runtime-config.ts'

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

/** What the app runs with. */
export interface Settings extends Env {
  /** '' where nobody said one. */
  crmId: string
  /** '' where any version will do. */
  minimumVersion: string
  codeLabels: CodeLabels
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
  defaults: Env & { codeLabels: CodeLabels },
  { codeLabels = defaults.codeLabels, crmId = '', minimumVersion = '', ...config }: RuntimeConfig,
): Settings {
  const said = Object.entries(config).filter(([name]) => name in VARIABLES)
  const own = Object.fromEntries(said.map(([name, value]) => [name, String(value)]))
  return { ...defaults, ...own, codeLabels, crmId, minimumVersion }
}

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
