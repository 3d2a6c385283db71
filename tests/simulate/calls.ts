/** What a call is, by its address, and what its answer says. */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import { fileCall, FILES } from './model-file-store.ts'

/** The time limit of one call. */
export const TIMEOUT_MS = 20_000

/** The entry of a visit. */
export const isEntryCall = ({ method, url }: HttpCall) => method === 'POST' && url.endsWith('/quickReport/')

export type Lane = 'crm' | 'files'
export const laneOf = ({ url }: Pick<HttpCall, 'url'>): Lane => (url.startsWith(FILES) ? 'files' : 'crm')
export const isUpload = (call: HttpCall) => laneOf(call) === 'files' && fileCall(call).what === 'files/upload'
export const isIndex = (call: HttpCall) => laneOf(call) === 'files' && fileCall(call).what === 'files/index'
export const limitOf = ({ patience = 1 }: HttpCall) => TIMEOUT_MS * patience

export const describe = ({ method, url, body }: HttpCall) =>
  `${method} ${url.replace(/^.*?\/v1\//, '')} ${body?.slice(0, 160) ?? ''}`

/** The times that a call carries. */
export const timesIn = ({ body = '{}', method }: HttpCall): [string, string][] =>
  method === 'GET' || !body.startsWith('{')
    ? []
    : Object.entries(JSON.parse(body) as object).flatMap(([name, value]: [string, unknown]) =>
        name.endsWith('Time') && typeof value === 'string' ? [[name, value] as [string, string]] : [],
      )

/** It says what the record is. */
export const isReadable = ({ status, isJson }: Extract<Answer, { kind: 'answer' }>): boolean =>
  status === 200 && isJson

/** An answer that says neither yes nor no, or no without a reason, or to a question: others may go before it (RULES OR1). */
export const isUnclear = (
  { status, isJson, body }: Extract<Answer, { kind: 'answer' }>,
  isRead: boolean,
): boolean =>
  status === 408 ||
  (isRead && status === 202) ||
  (status >= 500 && status !== 503) ||
  (status >= 400 &&
    status < 500 &&
    ![401, 429, 498].includes(status) &&
    (isRead || !isReasoned(body, isJson))) ||
  (status === 200 && !isJson)

const isReasoned = (body: unknown, isJson: boolean) =>
  isJson && typeof body === 'object' && body !== null && ('errors' in body || 'error' in body)
