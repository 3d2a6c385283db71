/**
 * The login call. A separate file without the parsing of its response, so that ArkType loads while the call
 * is under way (decisions/speed).
 */
import type { HttpCall } from './http.ts'

export const loginCall = (url: string, draft: { userName: string; password: string }): HttpCall => ({
  method: 'POST',
  url,
  body: new URLSearchParams(draft).toString(),
  contentType: 'application/x-www-form-urlencoded',
})
