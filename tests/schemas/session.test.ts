import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { loginUserId } from '#schemas/api-error.ts'
import { loginAnswer, session, tokenPair, userInfo } from '#schemas/device/session.ts'

const user = {
  id: 'u-1',
  supplierStaffId: 'ss-1',
  supplierId: 'sp-1',
  userFlag: 6,
  loginUserName: '佐々木 翔',
}
const pair = { accessToken: 'a', refreshToken: 'r' }

describe('[spec 3] userFlag', () => {
  test.each([
    [6, 6],
    ['6', 6],
    [0, 0],
    ['9', 9],
  ])('%j is read as %d', (userFlag, wanted) => {
    expect(userInfo({ ...user, userFlag })).toMatchObject({ userFlag: wanted })
  })
  test.each([10, '10', -1, 1.5, '1.5', '', 'six', null, undefined, true])('%j is no flag', (userFlag) => {
    expect(userInfo({ ...user, userFlag })).toBeInstanceOf(type.errors)
  })
})

describe('[contract 2] loginUserId', () => {
  test.each([
    ['the staff id', user, 'ss-1'],
    ['the user id where there is no staff id', { ...user, supplierStaffId: undefined }, 'u-1'],
    ['the user id where the staff id is null', { ...user, supplierStaffId: null }, 'u-1'],
    ['the user id where the staff id is empty', { ...user, supplierStaffId: '' }, 'u-1'],
  ])('%s', (_, info, wanted) => {
    const { supplierStaffId, ...others } = info
    const sent = supplierStaffId === undefined ? others : info
    expect(loginUserId(userInfo.assert(sent))).toBe(wanted)
  })
})

describe('[contract 4] the answer to a login', () => {
  test('with ids as numbers and unknown fields', () => {
    const answer = loginAnswer({
      ...pair,
      userInfo: { ...user, id: 1, supplierId: 3, post: '9' },
      scope: 'x',
    })
    expect(answer).toMatchObject({ ...pair, userInfo: { id: '1', supplierId: '3' } })
  })
  test.each([
    ['an empty token', { ...pair, accessToken: '', userInfo: user }],
    ['no refresh token', { accessToken: 'a', userInfo: user }],
    ['no user', pair],
    ['a user without a name', { ...pair, userInfo: { ...user, loginUserName: undefined } }],
    ['an error', { error: 'ユーザー名、パスワードが間違っています' }],
  ])('not with %s', (_, answer) => expect(loginAnswer(answer)).toBeInstanceOf(type.errors))
})

test('what the device kept of a login is read again; what was tampered with is not', () => {
  const kept = { ...pair, userInfo: user, userName: 'demo6', expired: false }
  expect(session(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  expect(session({ ...kept, expired: 'no' })).toBeInstanceOf(type.errors)
  expect(session({ ...kept, refreshToken: '' })).toBeInstanceOf(type.errors)
  expect(tokenPair({ accessToken: 'a', refreshToken: null })).toBeInstanceOf(type.errors)
})
