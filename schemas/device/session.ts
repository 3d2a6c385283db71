/** Login and who is signed in (spec 3, crm-contract 4). */
import { type } from 'arktype'
import { legible } from '#schemas/text.ts'
import { wireId, wireText } from '#schemas/declare/wire.ts'

export const userInfo = type({
  id: wireId,
  'supplierStaffId?': wireText,
  'supplierId?': wireText,
  userFlag: type('number | string.integer.parse').to('0 <= number.integer <= 9'),
  loginUserName: type('string').pipe(legible),
})
export type UserInfo = typeof userInfo.infer

export const tokenPair = type({ accessToken: 'string > 0', refreshToken: 'string > 0' })
export type TokenPair = typeof tokenPair.infer

/** The answer to `POST {api}/{crm}/login`. */
export const loginAnswer = tokenPair.merge({ userInfo })

/** What the device keeps of a login. `userName` is what was typed, to fill the form in again after a timeout. */
export const session = loginAnswer.merge({
  userName: 'string',
  expired: 'boolean',
  /** It expired because the CRM called its token invalid (498): the way to the login is asked for (spec 8). */
  'tokenInvalid?': 'boolean',
})
export type Session = typeof session.infer
