/**
 * Checks `config.json` beside the app: the operator's settings for one environment (crm-contract 1). Absent fields have
 * the build's value. Unknown fields are ignored, because one file serves many app versions. This module does not use
 * ArkType: the file is checked while the first visit's login form is shown, and loading ArkType would delay typing
 * (docs/decisions/config.md).
 */
import { isCodeLabels } from '#schemas/resources/pit-labels.ts'

type Is<T> = (value: unknown) => value is T
/** The checked fields, all optional. */
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

/** A path on this origin, or a URL with HTTPS (HTTP only on this machine), without a trailing `/`. */
const isAddress = matching(
  /^(?:https:\/\/(?!\/)|http:\/\/(?:localhost|127\.0\.0\.1)(?=[:/]|$)|\/(?!\/))[^\s?#\\]{0,199}[^\s?#\\/]$/,
)
const isSegment = matching(/^[\w.-]{1,64}$/)
const isName = ofLength(30)
/** Megabytes per photo. */
const isImageSize: Is<number> = (value): value is number =>
  typeof value === 'number' && value >= 1 && value <= 100

/** Target of the fleet's telemetry (OTLP/HTTP, decisions/telemetry). */
interface TelemetryConfig {
  /** Like OTEL_EXPORTER_OTLP_ENDPOINT: `/v1/metrics` and `/v1/logs` are appended. */
  endpoint: string
  /** Fraction of devices that send calls, figures and errors, 1 by default. All devices send their unsent counts. */
  sample?: number
}

function isTelemetry(value: unknown): value is TelemetryConfig {
  if (!isTable(value) || !isAddress(value['endpoint'])) return false
  const { sample = 1 } = value
  return typeof sample === 'number' && sample > 0 && sample <= 1
}

/** Fields of one CRM; beside the list `crms` they are defaults for its entries. */
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

/** One of several CRMs; absent fields have the top-level value. */
export interface CrmConfig extends Checked<typeof OF_ONE_CRM> {
  /** Permanent id: the device stores this CRM's data under it. */
  id: string
  /** Name for the user's choice. */
  name: string
}
const CRM: Readonly<Record<string, Is<unknown>>> = { id: isSegment, name: isName, ...OF_ONE_CRM }

const CONFIG = {
  ...OF_ONE_CRM,
  appName: isName,
  /** Identifies the CRM: two configurations with the same value are of the same CRM, whatever its URL. */
  crmId: isSegment,
  /** No telemetry is sent if absent. */
  telemetry: isTelemetry,
  /**
   * RSA key of at least 3072 bits, SPKI in base64: data keys are also wrapped for it (decisions/encryption).
   * WebCrypto checks the key itself.
   */
  recoveryPublicKey: matching(/^[A-Za-z0-9+/=\s-]{1,2000}$/),
  /** Versions older than this ask the user to update. */
  minimumVersion: matching(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
}

/** A checked `config.json`. */
export interface RuntimeConfig extends Checked<typeof CONFIG> {
  /** Several CRMs, one of which the user chooses (decisions/config). */
  crms?: CrmConfig[]
}

/** All known fields of one of several CRMs. */
export const CRM_FIELDS: readonly string[] = Object.keys(CRM)
/** All known fields. */
export const CONFIG_FIELDS: readonly string[] = [...Object.keys(CONFIG), 'crms']

/** Result of the check. Fields are named by path: `imageSizeLimit`, `crms[1].name`. A table is named as a whole. */
type CheckedConfig =
  | { config: RuntimeConfig; unknown: string[] }
  | { config: null; wrong: readonly [string, ...string[]] }

/**
 * Checks a configuration.
 * @param json parsed JSON; if it is not an object, the wrong field is ''
 */
export function checkConfig(json: unknown): CheckedConfig {
  if (!isTable(json)) return { config: null, wrong: [''] }
  const ofCrmList = Object.hasOwn(json, 'crms') ? wrongCrms(json['crms']) : []
  const [first, ...rest] = [...wrongIn(json, CONFIG), ...ofCrmList]
  if (first !== undefined) return { config: null, wrong: [first, ...rest] }
  const known = Object.entries(json).filter(([field]) => CONFIG_FIELDS.includes(field))
  // The cast is safe: every field was checked.
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
