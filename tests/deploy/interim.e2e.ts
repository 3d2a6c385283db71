/**
 * [decisions/hosting] An upstream answers with an interim answer (1xx), and with something behind it: on the wire of a browser
 * one call has one answer.
 */
import { connect } from 'node:tls'
import { expect } from '@playwright/test'
import { hasModule } from './host.ts'
import { INTERIM } from './hostile.ts'
import { test } from './on-host.ts'

/** Two calls over one connection, the second of the app's own. @returns all that comes back */
const onTheWire = (url: string, path: string) =>
  new Promise<string>((done, fail) => {
    const { hostname: host, port } = new URL(url)
    const socket = connect({
      host,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    let text = ''
    const call = (address: string, connection: string) =>
      `GET ${address} HTTP/1.1\r\nhost: ${host}\r\nsec-fetch-dest: empty\r\nconnection: ${connection}\r\n\r\n`
    socket.on('data', (part: Buffer) => (text += part.toString()))
    socket.on('error', fail)
    socket.on('close', () => done(text))
    socket.write(call(path, 'keep-alive') + call('/version.json', 'close'))
  })

/** Answers as a browser takes them off the wire, by their lengths. */
function answersOf(wire: string): { status: number; head: string }[] {
  const answers: { status: number; head: string }[] = []
  for (let at = 0; at < wire.length;) {
    const end = wire.indexOf('\r\n\r\n', at)
    const head = wire.slice(at, end)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? NaN)
    answers.push({ status, head: head.toLowerCase() })
    if (end === -1) break
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    at = /transfer-encoding: chunked/i.test(head) ? wire.indexOf('0\r\n\r\n', end) + 5 : end + 4 + length
  }
  return answers
}

test.use({ server: 'nginx' })

test('one call has one answer, whatever lies behind an interim answer of the CRM', async ({ host }) => {
  test.skip(!hasModule('nginx', 'http-js'), 'nginx has no module for JavaScript: it passes them on')
  for (const kind of Object.keys(INTERIM)) {
    const wire = await onTheWire(host.url, `/api/evil/interim/${kind}`)
    expect(host.hostile.reached.at(-1)).toBe(`interim/${kind}`)
    // answers of the host itself, or a connection that has ended
    for (const { status, head } of answersOf(wire)) {
      expect(status, wire).toBeGreaterThanOrEqual(200)
      expect(head, wire).not.toMatch(/planted|clear-site-data/)
    }
  }
  expect((await host.ask('/api/check', { 'sec-fetch-dest': 'empty' })).status).toBe(204)
})
