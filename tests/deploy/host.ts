/** A host as an operator sets it up: `deploy/genba.sh` in an empty folder, a certificate, and the demo CRM behind it. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { request } from 'node:https'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import { createDemoCrm } from '#demo-crm/demo-crm.ts'
import { demoCrmMiddleware } from '#demo-crm/node-host.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import { freePort } from '../support/free-port.mjs'
import { hostile, type Hostile } from './hostile.ts'

/** The server's processes must not be root's, whoever runs the tests. */
const SERVER_USER = 'www-data'
const isRoot = userInfo().uid === 0

const SCRIPT = resolve(import.meta.dirname, '../../deploy/genba.sh')

export type ServerName = 'nginx' | 'caddy'

export const isInstalled = (program: ServerName | 'promtool'): boolean =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, program)))

/** A plain nginx has neither brotli nor a list of what passes; Caddy has both. */
export const hasModule = (server: ServerName, module: 'brotli-static' | 'http-js'): boolean =>
  server === 'caddy' || readdirSync('/etc/nginx/modules-enabled').some((name) => name.includes(module))

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface Host {
  url: string
  httpUrl: string
  /** The demo CRM itself, for what a test asks of it. */
  crmUrl: string
  /** Runs `genba.sh`. @returns what it printed @throws where it fails */
  genba(...args: string[]): string
  /** Who has signed its certificate, as a file. */
  cert: string
  /** Writes `config.json`. */
  configure(config: object): void
  /** Something else stands in its place. */
  spoilConfig(text: string): void
  /** Over HTTPS, nothing followed or unpacked. */
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>
  /** What the collector behind it was sent. */
  collected: { path: string | undefined; headers: IncomingHttpHeaders }[]
  /** What the CRM, the file store and the collector behind it attack with. */
  hostile: Hostile
  /** Begins to serve. */
  run(): Promise<void>
  /** Ids of the users whose processes speak with everybody: Caddy's, those of nginx's workers. */
  servedBy(): number[]
  close(): Promise<void>
}

export async function setUpHost(server: ServerName): Promise<Host> {
  const root = mkdtempSync(join(tmpdir(), `genba-host-${server}-`))
  const attacks = hostile()
  const [http, https, crm] = [await freePort(), await freePort(), await serveCrm(attacks)]
  const collector = await serveCollector(attacks)
  const [cert, key] = certificate(root)
  chmodSync(root, 0o755)
  if (isRoot) execFileSync('chown', [SERVER_USER, key])
  const env = {
    PATH: `${process.env['PATH']}:/usr/sbin`,
    HOME: root,
    GENBA_ROOT: root,
    GENBA_SERVER: server,
    GENBA_SITE: 'localhost',
    GENBA_CRM: crm.url,
    GENBA_FILES: crm.url,
    GENBA_OTLP: collector.url,
    GENBA_CERT: cert,
    GENBA_KEY: key,
    GENBA_HTTP_PORT: String(http),
    GENBA_HTTPS_PORT: String(https),
    GENBA_USER: isRoot ? SERVER_USER : userInfo().username,
  }
  const url = `https://localhost:${https}`
  let stop = async () => undefined as void
  const host: Host = {
    url,
    httpUrl: `http://localhost:${http}`,
    crmUrl: crm.url,
    cert,
    collected: collector.collected,
    hostile: attacks,
    genba: (...args) => execFileSync(SCRIPT, args, { env, encoding: 'utf8' }),
    configure: (config) => writeFileSync(join(root, 'config.json'), JSON.stringify(config)),
    spoilConfig: (text) => writeFileSync(join(root, 'config.json'), text),
    ask: (path, headers = {}, method = 'GET') => ask(`${url}${path}`, headers, method),
    async run() {
      const child = spawn(SCRIPT, ['run'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-4_000)))
      const over = new Promise<void>((done) => child.once('exit', () => done()))
      stop = async () => {
        child.kill('SIGTERM')
        await over
      }
      const isUp = async () => expect((await host.ask('/healthz')).status).toBe(200)
      await expect(isUp)
        .toPass({ timeout: 20_000 })
        .catch((error: unknown) => {
          throw new Error(`${server} does not serve: ${said}`, { cause: error })
        })
    },
    servedBy() {
      const main = readFileSync(join(root, 'run', `${server}.pid`), 'utf8').trim()
      const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ')
      return (server === 'caddy' ? [main] : children).map((pid) =>
        Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
      )
    },
    async close() {
      await stop()
      await crm.close()
      await collector.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return host
}

const ask = (url: string, headers: Record<string, string>, method: string) =>
  new Promise<Answer>((done, fail) => {
    const call = request(url, { method, headers, rejectUnauthorized: false, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', fail)
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    call.on('error', fail)
    call.end()
  })

function certificate(folder: string): [cert: string, key: string] {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', [...made, '-days', '2', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  })
  return [cert, key]
}

async function serveCollector(attacks: Hostile) {
  const collected: Host['collected'] = []
  const served = await listening(
    createServer((call, answer) => {
      if (attacks.answer(call, answer)) return
      collected.push({ path: call.url, headers: call.headers })
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }),
  )
  return { ...served, collected }
}

export async function serveCrm(attacks: Hostile) {
  const env = {
    apiEndpoint: '/api/v1',
    crmEndpoint: 'crm',
    securityEndpoint: 'security',
    securityKey: 'demo-key',
    fileStoreEndpoint: '/doccloud',
  }
  const handle = demoCrmMiddleware(createDemoCrm({ env, store: createMemoryStore(), now: Date.now }))
  return listening(
    createServer((req, res) => {
      if (!attacks.answer(req, res)) handle(req, res, () => res.writeHead(404).end())
    }),
  )
}

export async function listening(server: Server) {
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
