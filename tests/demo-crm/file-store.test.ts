import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { answered, openHarness, ORIGIN } from './harness.ts'

const FS = '/doccloud/openapp/v1'
// Bytes that are no text: the store must not touch them.
const bytes = Uint8Array.from({ length: 700 }, (_, i) => (i * 37) % 256)

async function openFileStore(options = {}) {
  const harness = await openHarness(options)
  const { json } = await harness.fileToken()
  const headers = { access_token: String(json.access_token) }
  const call = async (method: string, path: string, body?: unknown) =>
    answered(
      await harness.crm.fetch(
        new Request(`${ORIGIN}${FS}/${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
        }),
      ),
    )
  const upload = (folder: string, name: string, content = bytes) => {
    const form = new FormData()
    form.set('Filedata', new File([content], name, { type: 'image/jpeg' }))
    return call('POST', `files/upload/${folder}`, form)
  }
  return { ...harness, call, upload, expire: Number(json.expire) }
}

describe('[crm-contract 5] the token', () => {
  test('expires, in epoch seconds', async () => {
    const { call, clock, expire } = await openFileStore({ accessTokenLifeMs: 60_000 })
    expect(expire).toBe(clock.now / 1000 + 60)
    clock.now += 59_000
    expect((await call('GET', 'folders/index/sf-x')).status).toBe(200)
    clock.now += 1000
    expect((await call('GET', 'folders/index/sf-x')).status).toBe(401)
  })
})

describe('[crm-contract 5] folders', () => {
  test('a folder that was never made is a failure', async () => {
    const { call, upload } = await openFileStore()
    expect((await call('GET', 'files/index/fd-nobody')).json).toMatchObject({ success: false })
    expect((await upload('fd-nobody', 'a.jpg')).json).toMatchObject({ success: false })
  })
})

describe('[crm-contract 5] files', () => {
  test('come back byte for byte', async () => {
    const { call, upload, crm } = await openFileStore()
    const { json } = await upload('sf-x', '現場 1.jpg')
    expect(json).toEqual({ success: true, file_seq: expect.any(String), name: '現場 1.jpg' })
    const body = { file_seq: json.file_seq, name: json.name }
    const direct = await call('POST', 'files/download/sf-x', { ...body, flag_direct: 'N' })
    expect(direct.json).toEqual({ ...body, download_url: expect.stringContaining('/doccloud/') })
    const response = await crm.fetch(new Request(ORIGIN + direct.json.download_url))
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    const { files } = await crm.inspect()
    expect(files).toMatchObject([
      { name: '現場 1.jpg', size: 700, sha256: createHash('sha256').update(bytes).digest('hex') },
    ])
    const viewer = await call('POST', 'viewer/create', { file_seq: json.file_seq })
    expect(viewer.json).toEqual({ viewer_url: expect.any(String) })
  })

  test('flag Y gives the bytes themselves', async () => {
    const { upload, crm, fileToken } = await openFileStore()
    const { json } = await upload('sf-x', 'a.png')
    const token = await fileToken()
    const response = await crm.fetch(
      new Request(`${ORIGIN}${FS}/files/download/sf-x`, {
        method: 'POST',
        headers: { access_token: token.json.access_token },
        body: JSON.stringify({ file_seq: json.file_seq, name: 'a.png', flag_direct: 'Y' }),
      }),
    )
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  test('an upload without Filedata fails with ec00017', async () => {
    const { call } = await openFileStore()
    expect((await call('POST', 'files/upload/sf-x', new FormData())).json).toEqual({
      success: false,
      message: 'ec00017',
    })
  })
})
