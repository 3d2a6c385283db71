import { describe, expect, test } from 'vitest'
import { answered, env, openHarness, ORIGIN, REST, sign } from './harness.ts'

describe('[crm-contract 2] the signature', () => {
  const path = `${REST}/request/search?limit=1&locationName=%E6%9D%B1%E9%9B%B2`
  test.each([
    ['right', sign('GET', path, ''), 200],
    ['of another key', sign('GET', path, '', 'other'), 401],
    ['of another method', sign('POST', path, ''), 401],
    ['without the query', sign('GET', path.split('?')[0] ?? '', ''), 401],
    ['in upper case', sign('GET', path, '').toUpperCase(), 401],
    ['absent', '', 401],
  ])('%s → its answer', async (_, signature, status) => {
    const { rest } = await openHarness()
    const answer = await rest('GET', path.slice(REST.length + 1), undefined, { 'x-signature': signature })
    expect(answer.status).toBe(status)
  })

  test('covers the body', async () => {
    const { rest } = await openHarness()
    const answer = await rest(
      'POST',
      'quickReport/',
      { requestId: 'x' },
      { 'x-signature': sign('POST', `${REST}/quickReport/`, '{}') },
    )
    expect(answer.status).toBe(401)
  })

  test('is asked of the file store token, not of the probe', async () => {
    const { crm, fileToken } = await openHarness()
    expect((await fileToken({ 'x-signature': 'x' })).status).toBe(401)
    expect((await fileToken()).json).toMatchObject({ access_token: expect.any(String) })
    expect((await crm.fetch(new Request(`${ORIGIN}/api/check`))).ok).toBe(true)
  })
})

test.each(['', 'Bearer none'])('[C16] the file store gives "%s" no token', async (authorization) => {
  const { fileToken } = await openHarness()
  expect((await fileToken({ authorization })).status).toBe(401)
})

describe('[crm-contract 4] login', () => {
  test.each(Array.from({ length: 9 }, (_, i) => i + 1))('demo%i has userFlag %i', async (flag) => {
    const { login } = await openHarness()
    const { userInfo } = await login(`demo${flag}`)
    expect(userInfo.userFlag).toBe(flag)
    expect('supplierStaffId' in userInfo).toBe(flag >= 5 && flag <= 8)
  })

  test.each([
    ['a wrong password', 'userName=demo6&password=Password'],
    ['nobody known', 'userName=demo0&password=password'],
    ['nothing', ''],
  ])('%s is refused with the text of the contract', async (_, form) => {
    const { send } = await openHarness()
    const { status, json } = await send('POST', '/api/v1/crm/login', form)
    expect({ status, json }).toEqual({
      status: 400,
      json: { error: 'ユーザー名、パスワードが間違っています' },
    })
  })
})

describe('[crm-contract 2] tokens', () => {
  test('an access token is dead after its life', async () => {
    const { rest, clock } = await openHarness({ accessTokenLifeMs: 1000 })
    clock.now += 999
    expect((await rest('GET', 'request/search')).status).toBe(200)
    clock.now += 1
    expect((await rest('GET', 'request/search')).status).toBe(401)
  })

  test.each(['', 'Bearer', 'Bearer nobody', 'Basic x'])('"%s" is no authorization', async (authorization) => {
    const { rest } = await openHarness()
    expect((await rest('GET', 'request/search', undefined, { authorization })).status).toBe(401)
  })
})

test('[crm-contract 1] endpoints may be absolute', async () => {
  const absolute = {
    ...env,
    apiEndpoint: 'https://crm.example/base/v1/',
    fileStoreEndpoint: 'https://fs.example/dc',
  }
  const { crm } = await openHarness({ env: absolute })
  const body = 'userName=demo5&password=password'
  const path = '/base/v1/crm/login'
  const headers = { 'x-signature': sign('POST', path, body) }
  const response = await crm.fetch(
    new Request(`https://crm.example${path}`, { method: 'POST', body, headers }),
  )
  expect((await answered(response)).json.userInfo.userFlag).toBe(5)
  expect(crm.handles('/base/check')).toBe(true)
  expect(crm.handles('/dc/token')).toBe(true)
  expect(crm.handles('/request')).toBe(false)
})
