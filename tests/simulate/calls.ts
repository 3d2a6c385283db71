/** What a call is, by its address. */
import type { HttpCall } from '#sync/transport/http.ts'
import { fileCall, FILES } from './model-file-store.ts'

/** The time limit of one call. */
export const TIMEOUT_MS = 20_000

export const isCreate = ({ method, url }: HttpCall) => method === 'POST' && url.endsWith('/quickReport/')

export type Lane = 'crm' | 'files'
export const laneOf = ({ url }: HttpCall): Lane => (url.startsWith(FILES) ? 'files' : 'crm')
export const isUpload = (call: HttpCall) => laneOf(call) === 'files' && fileCall(call).what === 'files/upload'
export const isIndex = (call: HttpCall) => laneOf(call) === 'files' && fileCall(call).what === 'files/index'
export const limitOf = ({ patience = 1 }: HttpCall) => TIMEOUT_MS * patience

export const describe = ({ method, url, body }: HttpCall) =>
  `${method} ${url.replace(/^.*?\/v1\//, '')} ${body?.slice(0, 160) ?? ''}`
