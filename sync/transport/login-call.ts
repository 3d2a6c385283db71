/** The call of the login, without what reads its answer: ArkType starts while it is under way (decisions/speed). */
import type { HttpCall } from './http.ts'

export const loginCall = (url: string, draft: { userName: string; password: string }): HttpCall => ({
  method: 'POST',
  url,
  body: new URLSearchParams(draft).toString(),
  contentType: 'application/x-www-form-urlencoded',
})
