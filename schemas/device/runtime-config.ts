/**
 * `config.json` beside the app: what whoever operates it sets for one environment (crm-contract 1). What it leaves out
 * keeps the value of the build. Fields that this version does not know are ignored: the file is one, versions are many.
 *
 * Without ArkType: it is checked while the login of a first visit stands, and ArkType would hold up who types there
 * (docs/decisions/config.md).
 */
import { isCodeLabels } from '#schemas/resources/pit-labels.ts'

type Is<T> = (value: unknown) => value is T
type Said<Fields> = { [F in keyof Fields]?: Fields[F] extends Is<infer T> ? T : never }
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

/** A path of this origin, or another origin by HTTPS (by HTTP on this machine only); without `/` at its end. */
const isAddress = matching(
  /^(?:https:\/\/(?!\/)|http:\/\/(?:localhost|127\.0\.0\.1)(?=[:/]|$)|\/(?!\/))[^\s?#\\]{0,199}[^\s?#\\/]$/,
)
const isSegment = matching(/^[\w.-]{1,64}$/)
const isName = ofLength(30)
/** Megabytes per photo. */
const isImageSize: Is<number> = (value): value is number =>
  typeof value === 'number' && value >= 1 && value <= 100

/** Where the figures of the fleet go (OTLP/HTTP, decisions/telemetry). */
interface TelemetryConfig {
  /** As OTEL_EXPORTER_OTLP_ENDPOINT: `/v1/metrics` and `/v1/logs` are put to its end. */
  endpoint: string
  /** Which part of the devices tells calls, figures and errors; all of them tell what is unsent. 1 where it is not said. */
  sample?: number
}

function isTelemetry(value: unknown): value is TelemetryConfig {
  if (!isTable(value) || !isAddress(value['endpoint'])) return false
  const { sample = 1 } = value
  return typeof sample === 'number' && sample > 0 && sample <= 1
}

/** What is said of one CRM, or beside the list for all that leave it out. */
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

/** One of several CRMs; what it leaves out is as the fields beside the list say. */
export interface CrmConfig extends Said<typeof OF_ONE_CRM> {
  /** Its own name for good: what the device keeps of it is found by this. */
  id: string
  /** Shown where one chooses. */
  name: string
}
const CRM: Readonly<Record<string, Is<unknown>>> = { id: isSegment, name: isName, ...OF_ONE_CRM }

const CONFIG = {
  ...OF_ONE_CRM,
  appName: isName,
  /** The CRM's own name: two configurations that say the same one are of one CRM, whatever its address. */
  crmId: isSegment,
  /** Nothing is sent where it is not said. */
  telemetry: isTelemetry,
  /**
   * RSA of 3072 bits or more, SPKI in base64: keys are wrapped for it, too (decisions/encryption). Whether it is one is
   * asked of WebCrypto.
   */
  recoveryPublicKey: matching(/^[A-Za-z0-9+/=\s-]{1,2000}$/),
  /** Older versions ask for the update. */
  minimumVersion: matching(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
}

export interface RuntimeConfig extends Said<typeof CONFIG> {
  /** Several CRMs, of which the user chooses one (decisions/config). */
  crms?: CrmConfig[]
}

/** Every field of one of several CRMs that is read. */
export const CRM_FIELDS: readonly string[] = Object.keys(CRM)
/** Every field that is read. */
export const CONFIG_FIELDS: readonly string[] = [...Object.keys(CONFIG), 'crms']

/** By its field: `imageSizeLimit`, `crms[1].name`; of a table its name is enough. */
type CheckedConfig =
  | { config: RuntimeConfig; unknown: string[] }
  | { config: null; wrong: readonly [string, ...string[]] }

/** @param said JSON; the field of what is no object is '' */
export function checkConfig(said: unknown): CheckedConfig {
  if (!isTable(said)) return { config: null, wrong: [''] }
  const ofCrmList = Object.hasOwn(said, 'crms') ? wrongCrms(said['crms']) : []
  const [first, ...rest] = [...wrongIn(said, CONFIG), ...ofCrmList]
  if (first !== undefined) return { config: null, wrong: [first, ...rest] }
  const known = Object.entries(said).filter(([field]) => CONFIG_FIELDS.includes(field))
  // every field was checked
  const config = Object.fromEntries(known) as RuntimeConfig
  const ofEach = (config.crms ?? []).flatMap((crm, at) =>
    unknownTo(CRM_FIELDS, crm).map((field) => `crms[${at}].${field}`),
  )
  return { config, unknown: [...unknownTo(CONFIG_FIELDS, said), ...ofEach] }
}

function wrongCrms(crms: unknown): string[] {
  if (!Array.isArray(crms) || crms.length < 1 || crms.length > 8 || !crms.every(isTable)) return ['crms']
  const wrong = crms.flatMap((crm, at) => {
    const missing = ['id', 'name'].filter((field) => !Object.hasOwn(crm, field))
    return [...missing, ...wrongIn(crm, CRM)].map((field) => `crms[${at}].${field}`)
  })
  const isOnce = (field: 'id' | 'name') => new Set(crms.map((crm) => crm[field])).size === crms.length
  return wrong.length > 0 || (isOnce('id') && isOnce('name')) ? wrong : ['crms']
}

const wrongIn = (said: Json, fields: Readonly<Record<string, Is<unknown>>>): string[] =>
  Object.entries(fields).flatMap(([field, is]) =>
    Object.hasOwn(said, field) && !is(said[field]) ? [field] : [],
  )

const unknownTo = (fields: readonly string[], said: object): string[] =>
  Object.keys(said).filter((field) => !fields.includes(field))
