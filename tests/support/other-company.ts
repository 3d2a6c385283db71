/** Another company's calls, and the change requests of this device as its forms open with them. */
import { expect } from 'vitest'
import { contactChangeKey } from '#schemas/resources/location-contact-change-request.ts'
import { ORIGIN, type Device } from './device.ts'
import { viewIn } from './stored-views.ts'

/** Another company, signed in as itself, calls the CRM. @param method `POST`: it registers something */
export async function elsewhere(path: string, body: object, method: 'PUT' | 'POST' = 'PUT'): Promise<void> {
  const form = new URLSearchParams({ userName: 'demo7', password: 'password' }).toString()
  const { createHttp } = await import('#sync/transport/http.ts')
  const http = createHttp({ fetch, securityKey: 'demo-key' })
  const signedIn = await http({
    method: 'POST',
    url: `${ORIGIN}/api/v1/crm/login`,
    body: form,
    contentType: 'application/x-www-form-urlencoded',
  })
  const { accessToken } = signedIn.kind === 'answer' ? (signedIn.body as { accessToken: string }) : {}
  const answer = await http({
    method,
    url: `${ORIGIN}/api/v1/crm-rest/spa/${path}`,
    body: JSON.stringify(body),
    headers: { Authorization: `Bearer ${accessToken}` },
  })
  expect([200, 201, 204]).toContain(answer.kind === 'answer' ? answer.status : 0)
}

export const locationOf = async ({ db }: Device, id: string) =>
  await viewIn(db, 'customerLocationChangeRequests', id)
export const contactOf = async ({ db }: Device, id: string) =>
  await viewIn(db, 'locationContactChangeRequests', contactChangeKey(id, '02'))
