/**
 * The contract as OpenAPI 3.1, put together of the declarations, the tables of calls, and what the demo CRM said
 * (decisions/contract).
 */
import * as appCodes from '#schemas/codes.ts'
import { clauses } from '../conform/clauses.ts'
import * as otherCodes from './other-codes.ts'
import { clausesOf, CLAUSES_OF_ALL } from './clauses-of.ts'
import {
  commonAnswers,
  errorSchemas,
  headerRef,
  headers,
  parameters,
  plainHeaders,
  securityOf,
  securitySchemes,
} from './answers.ts'
import type { Exchange } from './conversation.ts'
import { contractSchemas } from './contract-schemas.ts'
import type { Operation, Query } from './operation.ts'
import { id, type Schema } from './schema.ts'

const ROWS_SHOWN = 2

/** The first rows of a list; the whole of anything else. */
const shown = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, ROWS_SHOWN) : value)

/** One for each title. */
function examplesOf(said: readonly { title: string; value: unknown }[]) {
  const first = new Map<string, unknown>()
  for (const { title, value } of said)
    if (value !== undefined && value !== '' && !first.has(title)) first.set(title, shown(value))
  const entries = [...first].map(([summary, value], n) => [`example${n + 1}`, { summary, value }])
  return entries.length > 0 ? { examples: Object.fromEntries(entries) } : {}
}

const sentExamples = (exchanges: readonly Exchange[]) =>
  examplesOf(
    exchanges.filter(({ answer }) => answer.status < 300).map(({ title, sent }) => ({ title, value: sent })),
  )

const answered = (exchanges: readonly Exchange[], status: number) =>
  examplesOf(
    exchanges
      .filter(({ answer }) => answer.status === status && typeof answer.json === 'object')
      .map(({ title, answer }) => ({ title, value: answer.json })),
  )

function successOf({ success, tagged, method }: Operation, exchanges: readonly Exchange[]) {
  const { description, schema, bytes, counted, status } = success
  const json = schema && { 'application/json': { schema, ...answered(exchanges, status) } }
  return {
    description,
    headers: {
      ...plainHeaders,
      ...(tagged && method === 'GET' ? headerRef('ETag') : {}),
      ...(counted ? headerRef('x-total-count') : {}),
    },
    ...(json
      ? { content: { ...json, ...(bytes ? { 'application/octet-stream': { schema: {} } } : {}) } }
      : {}),
  }
}

function refusalOf(status: number, codes: Readonly<Record<string, string>>, exchanges: readonly Exchange[]) {
  const schema = { $ref: `#/components/schemas/${status === 202 ? 'Rejected' : 'Failure'}` }
  const texts = Object.entries(codes).map(([code, when]) => `\`${code}\` ${when}`)
  return {
    description: [status === 202 ? '断った' : '内容の誤り（G1、G2）', ...texts].join('。'),
    content: { 'application/json': { schema, ...answered(exchanges, status) } },
    ...(texts.length > 0 ? { 'x-message-keys': Object.keys(codes) } : {}),
  }
}

/** The statuses that a call may end with beside its own. */
function statusesOf({ guard, method, tagged, missing, body }: Operation): string[] {
  if (guard === 'none') return []
  return [
    ...(method === 'GET' && tagged ? ['304'] : []),
    '401',
    ...(missing ? ['404'] : []),
    ...(method === 'PUT' && tagged ? ['412'] : []),
    ...(body && guard === 'bearer' ? ['422'] : []),
    '429',
    ...(guard === 'bearer' ? ['498'] : []),
    '503',
    '5XX',
  ]
}

function responsesOf(operation: Operation, exchanges: readonly Exchange[]) {
  const { success, refusals = {}, body, guard } = operation
  const common = statusesOf(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${commonAnswers[status]?.name}` },
  ])
  const wrong = body && guard === 'bearer' ? { 400: {} } : {}
  const refused = Object.entries({ ...wrong, ...refusals }).map(([status, codes]) => [
    status,
    refusalOf(Number(status), codes, exchanges),
  ])
  return {
    [success.status]: successOf(operation, exchanges),
    ...Object.fromEntries([...refused, ...common]),
    ...(guard === 'none' ? { '4XX': { description: 'つながる' } } : {}),
  }
}

const queryParameter = ({ name, schema, description }: Query, exchanges: readonly Exchange[]) => {
  const example = exchanges.map(({ query }) => query[name]).find((value) => value !== undefined)
  const isNumber = schema.type === 'integer'
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema,
    ...(example === undefined ? {} : { example: isNumber ? Number(example) : example }),
  }
}

function parametersOf(
  { path, query = [], creates, tagged, method }: Operation,
  exchanges: readonly Exchange[],
) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: id,
    example: exchanges.find(({ answer }) => answer.status < 300)?.params[name],
  }))
  const named = [
    ...(creates ? ['Idempotency-Key'] : []),
    ...(tagged ? [method === 'PUT' ? 'If-Match' : 'If-None-Match'] : []),
  ]
  return [
    ...inPath,
    ...query.map((one) => queryParameter(one, exchanges)),
    ...named.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function operationObject(operation: Operation, all: readonly Exchange[]) {
  const { id: operationId, tag, summary, description, guard, body } = operation
  const exchanges = all.filter((exchange) => exchange.operation.id === operationId)
  const asked = parametersOf(operation, exchanges)
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: securityOf[guard],
    ...(asked.length > 0 ? { parameters: asked } : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { [body.media]: { schema: body.schema, ...sentExamples(exchanges) } },
          },
        }
      : {}),
    responses: responsesOf(operation, exchanges),
    'x-clauses': clausesOf(operation),
  }
}

function pathsOf(operations: readonly Operation[], exchanges: readonly Exchange[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, exchanges),
    }
  return paths
}

function commonResponses(exchanges: readonly Exchange[]) {
  const first = (status: string) =>
    exchanges.filter(({ answer }) => answer.status === Number(status)).slice(0, 1)
  return Object.fromEntries(
    Object.entries(commonAnswers).map(([status, { name, description, schema, retry }]) => {
      const number = status.replace('XX', '00')
      const example = answered(first(number), Number(number))
      const content = schema ? { content: { 'application/json': { schema, ...example } } } : {}
      return [name, { description, ...(retry ? { headers: headerRef('Retry-After') } : {}), ...content }]
    }),
  )
}

const INFO = {
  title: '現場ワーク CRM の契約',
  version: '1',
  summary: '現場ワークが呼び出す CRM とファイル保管',
  description: [
    'パスは `config.json` の既定値（apiEndpoint `/api/v1`、crmEndpoint `crm`、securityEndpoint `security`、fileStoreEndpoint `/doccloud`）で書いてあります。',
    '知らない項目は無視し、ない項目と null は同じです。コードは文字列で送ります（アプリは数も読みます）。日付は `YYYY-MM-DD`、日時は ISO 8601 で、アプリは必ず `+09:00` で送り、どの時差でも読みます。応答のコードは、ここにないものが増えても構いません。',
    '`x-codes` は、コード表の全部です（名前が分からない番号は、番号のまま）。`x-clauses` は、適合試験 `npm run conform` の条項の番号です（docs/conform.md）。例はデモの CRM の応答で、一覧は先頭の二行です。',
    'English: the calls that the app makes on a CRM and its file store. Generated by `npm run openapi`; `x-clauses` are the numbers of the conformance test; the examples are what the demo CRM answers, lists cut after two rows.',
  ].join('\n\n'),
  license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
}

/** Every code table of spec 3, those of no call among them: code, label. */
const codesOfAll = () =>
  Object.fromEntries(
    Object.entries({ ...appCodes, ...otherCodes })
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { options }]) => [
        name,
        Object.fromEntries(options.map(({ code, label }) => [code, label])),
      ]),
  )

const clauseTexts = () =>
  Object.fromEntries(
    clauses.map(({ id: number, title, level, without }) => [
      number,
      { title, level, ...(without ? { without } : {}) },
    ]),
  )

/** @param exchanges what the demo CRM was asked and answered: the examples */
export function documentOf(operations: readonly Operation[], exchanges: readonly Exchange[]) {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: 'https://{host}', variables: { host: { default: 'crm-test.example.jp' } } }],
    tags: tags.map((name) => ({ name, description: `${name}の呼び出し` })),
    paths: pathsOf(operations, exchanges),
    components: {
      schemas: { ...contractSchemas, ...errorSchemas } satisfies Record<string, Schema>,
      responses: commonResponses(exchanges),
      parameters,
      headers,
      securitySchemes,
    },
    'x-codes': codesOfAll(),
    'x-clauses-of-all': CLAUSES_OF_ALL,
    'x-clauses': clauseTexts(),
  }
}
