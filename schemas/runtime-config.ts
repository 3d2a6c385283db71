/**
 * `config.json` beside the app: what whoever operates it sets for one environment (crm-contract 1). What it leaves out
 * keeps the value of the build. Fields that this version does not know are ignored: the file is one, versions are many.
 */
import { type } from 'arktype'
import { PIT_FIELDS } from './pit-labels.ts'

/** A path of this origin, or another origin by HTTPS (by HTTP on this machine only); without `/` at its end. */
const address = type(
  /^(?:https:\/\/(?!\/)|http:\/\/(?:localhost|127\.0\.0\.1)(?=[:/]|$)|\/(?!\/))[^\s?#\\]{0,199}[^\s?#\\/]$/,
)
const segment = type(/^[\w.-]{1,64}$/)
const code = type('1 <= string <= 8')
const label = type('1 <= string <= 50')

const table = type({ '[string]': label }).narrow((labels, ctx) => {
  const codes = Object.keys(labels)
  const isTable = !Array.isArray(labels) && codes.length <= 100 && codes.every((each) => code.allows(each))
  return isTable || ctx.mustBe('a table of codes')
})
const labels = type({ '[string]': table }).narrow((tables, ctx) => {
  const isKnown = Object.keys(tables).every((field) => PIT_FIELDS.some((known) => known === field))
  return (isKnown && !Array.isArray(tables)) || ctx.mustBe('tables of known fields')
})

const telemetry = type({
  /** As OTEL_EXPORTER_OTLP_ENDPOINT: `/v1/metrics` and `/v1/logs` are put to its end. */
  endpoint: address,
  /** Which part of the devices tells calls, figures and errors; all of them tell what is unsent. 1 where it is not said. */
  'sample?': '0 < number <= 1',
})

/** What is said of one CRM, or beside the list for all that leave it out. */
const ofOneCrm = {
  'apiEndpoint?': address,
  'crmEndpoint?': segment,
  'securityEndpoint?': segment,
  'securityKey?': '1 <= string <= 200',
  'fileStoreEndpoint?': address,
  'fileStoreErrorLogFolder?': '1 <= string <= 64',
} as const

/** One of several CRMs; what it leaves out is as the fields beside the list say. */
const crm = type({
  /** Its own name for good: what the device keeps of it is found by this. */
  id: segment,
  /** Shown where one chooses. */
  name: '1 <= string <= 30',
  ...ofOneCrm,
  'imageSizeLimit?': '1 <= number <= 100',
  'codeLabels?': labels,
})
export type CrmConfig = typeof crm.infer

const crms = crm
  .array()
  .atLeastLength(1)
  .atMostLength(8)
  .narrow((all, ctx) => {
    const isOnce = (field: 'id' | 'name') => new Set(all.map((each) => each[field])).size === all.length
    return (isOnce('id') && isOnce('name')) || ctx.mustBe('CRMs of different ids and names')
  })

export const runtimeConfig = type({
  ...ofOneCrm,
  /** Megabytes per photo. */
  'imageSizeLimit?': '1 <= number <= 100',
  'appName?': '1 <= string <= 30',
  'codeLabels?': labels,
  /** The CRM's own name: two configurations that say the same one are of one CRM, whatever its address. */
  'crmId?': segment,
  /** Several CRMs, of which the user chooses one (decision 0083). */
  'crms?': crms,
  /** Where the figures of the fleet go (OTLP/HTTP, decision 0077); nothing is sent where it is not said. */
  'telemetry?': telemetry,
  /** RSA of 3072 bits or more, SPKI in base64: keys are wrapped for it, too (decision 0085). Whether it is one is asked of WebCrypto. */
  'recoveryPublicKey?': /^[A-Za-z0-9+/=\s-]{1,2000}$/,
  /** Older versions ask for the update. */
  'minimumVersion?': /^\d{1,4}\.\d{1,4}\.\d{1,4}$/,
})
export type RuntimeConfig = typeof runtimeConfig.infer

/** Every field that is read. */
export const CONFIG_FIELDS: readonly string[] = runtimeConfig.props.map(({ key }) => String(key))
/** Every field of one of several CRMs that is read. */
export const CRM_FIELDS: readonly string[] = crm.props.map(({ key }) => String(key))
