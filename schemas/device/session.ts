/** The answer to the login, and the stored session (spec 3, crm-contract 4). */
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

/** Answer to `POST {api}/{crm}/login`. */
export const loginAnswer = tokenPair.merge({ userInfo })

export const session = loginAnswer.merge({
  /** Name from the login form, for prefilling the form after a timeout. */
  userName: 'string',
  expired: 'boolean',
  /** True if the CRM rejected the token (498). The app then asks whether to log in again (spec 8). */
  'tokenInvalid?': 'boolean',
})
export type Session = typeof session.infer
