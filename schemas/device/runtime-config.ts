/**
 * Checks `config.json` beside the app: the operator's settings (crm-contract 1). The build's value replaces an absent
 * field. Unknown fields are ignored, because one file serves many app versions. ArkType is not used, because loading
 * it would delay the first login form (docs/decisions/config.md).
 */

type Is<T> = (value: unknown) => value is T
type Checked<Fields> = { [F in keyof Fields]?: Fields[F] extends Is<infer T> ? T : never }
type Json = Readonly<Record<string, unknown>>

const matching =
  (pattern: RegExp): Is<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value)
const ofLength =
  (most: number): Is<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length >= 1 && value.length <= most
const isTable = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A path on this origin, or a URL, without a trailing `/`. HTTP is allowed only on this machine. */
const isAddress = matching(
  /^(?:https:\/\/(?!\/)|http:\/\/(?:localhost|127\.0\.0\.1)(?=[:/]|$)|\/(?!\/))[^\s?#\\]{0,199}[^\s?#\\/]$/,
)
const isSegment = matching(/^[\w.-]{1,64}$/)
const isName = ofLength(30)
/** Megabytes per photo. */
const isImageSize: Is<number> = (value): value is number =>
  typeof value === 'number' && value >= 1 && value <= 100

/** Fields of a pit survey whose labels the specification does not give. */
export const PIT_FIELDS = ['site', 'hatch', 'stepladder', 'observer', 'guide'] as const
export type PitField = (typeof PIT_FIELDS)[number]

/** Labels by field and code (`VITE_CODE_LABELS`). */
export type CodeLabels = Readonly<Partial<Record<PitField, Readonly<Record<string, string>>>>>
const CODES_MAX = 100
const isCode = ofLength(8)
const isLabel = ofLength(50)

export const isCodeLabels = (value: unknown): value is CodeLabels =>
  isTable(value) &&
  Object.entries(value).every(
    ([field, table]) =>
      PIT_FIELDS.some((known) => known === field) &&
      isTable(table) &&
      Object.keys(table).length <= CODES_MAX &&
      Object.entries(table).every(([code, label]) => isCode(code) && isLabel(label)),
  )

/** The label of a code; null if there is none. A text that is no number is its own label. */
export function pitLabel(labels: CodeLabels, field: PitField, code: string): string | null {
  const table = labels[field]
  if (table && Object.hasOwn(table, code)) return table[code] ?? null
  return /^\d+$/.test(code) ? null : code
}

/** Where the telemetry of all devices is sent (OTLP/HTTP, decisions/telemetry). */
interface TelemetryConfig {
  /** Base URL as in OTEL_EXPORTER_OTLP_ENDPOINT: `/v1/metrics` and `/v1/logs` are appended. */
  endpoint: string
  /** Fraction of devices that send all telemetry, 1 by default. Every device sends its number of unsent changes. */
  sample?: number
}

function isTelemetry(value: unknown): value is TelemetryConfig {
  if (!isTable(value) || !isAddress(value['endpoint'])) return false
  const { sample = 1 } = value
  return typeof sample === 'number' && sample > 0 && sample <= 1
}

/** Fields of one CRM. If the file has a list `crms`, their values at the top level are defaults for its entries. */
const OF_ONE_CRM = {
  apiEndpoint: isAddress,
  crmEndpoint: isSegment,
  securityEndpoint: isSegment,
  securityKey: ofLength(200),
  fileStoreEndpoint: isAddress,
  fileStoreErrorLogFolder: ofLength(64),
  imageSizeLimit: isImageSize,
  codeLabels: isCodeLabels,
}

/** One of several CRMs. The top-level value replaces an absent field. */
export interface CrmConfig extends Checked<typeof OF_ONE_CRM> {
  /** Permanent id, under which the device stores this CRM's data. */
  id: string
  name: string
}
const CRM: Readonly<Record<string, Is<unknown>>> = { id: isSegment, name: isName, ...OF_ONE_CRM }

const CONFIG = {
  ...OF_ONE_CRM,
  appName: isName,
  /** Identifies the CRM: configurations with the same value are for the same CRM, even if their URLs differ. */
  crmId: isSegment,
  /** If absent, no telemetry is sent. */
  telemetry: isTelemetry,
  /** Public RSA key, SPKI in base64. The keys of the user's data are also encrypted with it (decisions/encryption). */
  recoveryPublicKey: matching(/^[A-Za-z0-9+/=\s-]{1,2000}$/),
  /** Oldest version that may be used. An older app asks the user to update. */
  minimumVersion: matching(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
}

/** A checked `config.json`. */
export interface RuntimeConfig extends Checked<typeof CONFIG> {
  /** Several CRMs, between which the user chooses (decisions/config). */
  crms?: CrmConfig[]
}

export const CRM_FIELDS: readonly string[] = Object.keys(CRM)
export const CONFIG_FIELDS: readonly string[] = [...Object.keys(CONFIG), 'crms']

/** Wrong fields are named by path: `imageSizeLimit`, `crms[1].name`; `telemetry` and `codeLabels` only as a whole. */
type CheckedConfig =
  | { config: RuntimeConfig; unknown: string[] }
  | { config: null; wrong: readonly [string, ...string[]] }

/** Checks a configuration. If the JSON is not an object, the wrong field is ''. */
export function checkConfig(json: unknown): CheckedConfig {
  if (!isTable(json)) return { config: null, wrong: [''] }
  const ofCrmList = Object.hasOwn(json, 'crms') ? wrongCrms(json['crms']) : []
  const [first, ...rest] = [...wrongIn(json, CONFIG), ...ofCrmList]
  if (first !== undefined) return { config: null, wrong: [first, ...rest] }
  const known = Object.entries(json).filter(([field]) => CONFIG_FIELDS.includes(field))
  const config = Object.fromEntries(known) as RuntimeConfig
  const ofEach = (config.crms ?? []).flatMap((crm, i) =>
    unknownTo(CRM_FIELDS, crm).map((field) => `crms[${i}].${field}`),
  )
  return { config, unknown: [...unknownTo(CONFIG_FIELDS, json), ...ofEach] }
}

function wrongCrms(crms: unknown): string[] {
  if (!Array.isArray(crms) || crms.length < 1 || crms.length > 8 || !crms.every(isTable)) return ['crms']
  const wrong = crms.flatMap((crm, i) => {
    const missing = ['id', 'name'].filter((field) => !Object.hasOwn(crm, field))
    return [...missing, ...wrongIn(crm, CRM)].map((field) => `crms[${i}].${field}`)
  })
  const isUnique = (field: 'id' | 'name') => new Set(crms.map((crm) => crm[field])).size === crms.length
  return wrong.length > 0 || (isUnique('id') && isUnique('name')) ? wrong : ['crms']
}

const wrongIn = (json: Json, fields: Readonly<Record<string, Is<unknown>>>): string[] =>
  Object.entries(fields).flatMap(([field, is]) =>
    Object.hasOwn(json, field) && !is(json[field]) ? [field] : [],
  )

const unknownTo = (fields: readonly string[], json: object): string[] =>
  Object.keys(json).filter((field) => !fields.includes(field))
