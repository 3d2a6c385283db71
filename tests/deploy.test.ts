/**
 * `deploy/genba.sh` on hosts of every make, with servers that take any configuration: what is written for them. What the
 * real ones do with it, `npm run test:deploy` says.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { FOREIGN_PASSED } from '#build/content-policy.ts'
import { ACTING_HEADERS } from './support/acting-headers.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const SCRIPT = resolve(import.meta.dirname, '../deploy/genba.sh')

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'genba-deploy-'))
  for (const name of ['bin', 'modules', 'root', 'build/dist/assets', 'build/dist-about'])
    mkdirSync(join(place, name), { recursive: true })
  for (const server of ['nginx', 'caddy']) {
    writeFileSync(join(place, 'bin', server), '#!/bin/sh\nexit 0\n')
    chmodSync(join(place, 'bin', server), 0o755)
  }
  release('1.0.0')
})
afterEach(() => rmSync(place, { recursive: true }))

const write = (path: string, text: string) => writeFileSync(join(place, path), text)
const read = (path: string) => readFileSync(join(place, 'root/server', path), 'utf8')

/** What `npm run build` would leave, of this version. */
function release(version: string) {
  write('build/dist/version.json', JSON.stringify({ version, build: 'abc' }))
  write('build/dist/index.html', `<p>${version}`)
  write('build/dist/sw.js', '')
  write('build/dist/assets/a.js', '')
  write('build/dist-about/headers-code.nginx', '')
  write('build/dist-about/headers-foreign.nginx', '')
  for (const kind of ['nginx', 'caddy'])
    write(`build/dist-about/headers.${kind}`, `csp "connect-src 'self' https:; base-uri 'none'"`)
}

const values = (server: string) => {
  for (const name of ['cert', 'key', 'modules/50-mod-http-js.conf']) write(name, '')
  return {
    PATH: `${join(place, 'bin')}:${process.env['PATH']}`,
    GENBA_ROOT: join(place, 'root'),
    GENBA_SERVER: server,
    GENBA_NGINX_MODULES: join(place, 'modules'),
    GENBA_SITE: 'genba.example.jp',
    GENBA_CRM: 'https://crm.example.jp',
    GENBA_FILES: 'https://files.example.jp',
    GENBA_CERT: join(place, 'cert'),
    GENBA_KEY: join(place, 'key'),
  }
}

function genba(env: Record<string, string>, ...args: string[]): string {
  return execFileSync(SCRIPT, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

const NAMES = { nginx: 'nginx.conf', caddy: 'Caddyfile' }
const optional: Record<string, Record<string, string>> = {
  'with nothing but what must be': {},
  'with a collector': { GENBA_OTLP: 'http://127.0.0.1:4318' },
  'with another origin to call': { GENBA_CONNECT: 'https://crm.example.jp https://files.example.jp' },
  'with ports of its own': { GENBA_HTTP_PORT: '8080', GENBA_HTTPS_PORT: '8443' },
}

describe('a release as a tarball', () => {
  const pack = (...args: string[]) => {
    execFileSync('tar', ['-C', join(place, 'build'), '-czf', join(place, 'r.tar.gz'), ...args])
    const sum = createHash('sha256').update(readFileSync(join(place, 'r.tar.gz')))
    write('r.tar.gz.sha256', `${sum.digest('hex')}  r.tar.gz\n`)
  }
  const put = (env = values('caddy'), script = SCRIPT) =>
    spawnSync(script, ['put', join(place, 'r.tar.gz')], { env, encoding: 'utf8' })

  test.each([
    ['a link', () => symlinkSync('/etc', join(place, 'build/dist/assets/etc')), ['dist', 'dist-about']],
    [
      'a hard link',
      () => linkSync(join(place, 'build/dist/sw.js'), join(place, 'build/dist/b.js')),
      ['dist', 'dist-about'],
    ],
    ['a name that leads out', () => write('out', ''), ['-P', 'dist', 'dist-about', '../out']],
    ['a pipe', () => execFileSync('mkfifo', [join(place, 'build/dist/pipe')]), ['dist', 'dist-about']],
  ])('with %s is refused, and nothing is served', (_, make, args) => {
    make()
    pack(...args)
    expect(put()).toMatchObject({ status: 1, stderr: expect.stringContaining('リリースではありません') })
    expect(existsSync(join(place, 'root/history'))).toBe(false)
  })

  test('is held against the checksum beside it', () => {
    pack('dist', 'dist-about')
    expect(put().status).toBe(0)
    write('r.tar.gz.sha256', `${'0'.repeat(64)}  r.tar.gz\n`)
    expect(put()).toMatchObject({ status: 1, stderr: expect.stringContaining('と違います') })
    rmSync(join(place, 'r.tar.gz.sha256'))
    expect(put()).toMatchObject({ status: 1, stderr: expect.stringContaining('sha256 がありません') })
  })

  test('renews the script and the templates, and is put by them', () => {
    const [here, folder] = [join(place, 'opt/deploy'), resolve(SCRIPT, '..')]
    for (const to of [here, join(place, 'build/deploy')]) cpSync(folder, to, { recursive: true })
    write('build/deploy/Caddyfile', `# newer\n${readFileSync(join(folder, 'Caddyfile'), 'utf8')}`)
    pack('dist', 'dist-about', 'deploy')
    expect(put(values('caddy'), join(here, 'genba.sh'))).toMatchObject({ status: 0 })
    expect(read('Caddyfile')).toMatch(/^# newer/)
    expect(readFileSync(join(here, 'Caddyfile'), 'utf8')).toMatch(/^# newer/)
    expect(existsSync(join(place, 'root/releases/1.0.0-abc/deploy'))).toBe(false)
    expect(put(values('caddy'), join(here, 'genba.sh'))).toMatchObject({ status: 0 })
  })
})

const deployed = (name: string) => readFileSync(resolve(SCRIPT, '..', name), 'utf8')

describe('[decisions/telemetry] one of the two files', () => {
  test.each([
    ['config.json alone', '{"telemetry":{"endpoint":"/otlp"}}', {}, 'GENBA_OTLP がありません'],
    ['site.env alone', '{}', { GENBA_OTLP: 'http://127.0.0.1:4318' }, '端末は送りません'],
    ['both', '{"telemetry":{"endpoint":"/otlp"}}', { GENBA_OTLP: 'http://127.0.0.1:4318' }, null],
    ['another host', '{"telemetry":{"endpoint":"https://otlp.example"}}', {}, null],
    ['neither', '{}', {}, null],
  ])('that names where figures go: %s', (_, text, more, said) => {
    write('root/config.json', text)
    const env = { ...values('caddy'), ...more }
    const { stderr } = spawnSync(SCRIPT, ['put', join(place, 'build')], { env, encoding: 'utf8' })
    if (said === null) expect(stderr).not.toMatch(/otlp/i)
    else expect(stderr).toContain(said)
  })
})

describe('[decisions/hosting] nothing that speaks with everybody is root’s', () => {
  test('Caddy runs as GENBA_USER, which may open the ports and become nobody else', () => {
    chmodSync(place, 0o755)
    write(
      'bin/caddy',
      '#!/bin/sh\n[ "$1" != run ] || { id -u; id -g; grep -E "^(Cap|NoNew)" /proc/self/status; }\n',
    )
    genba(values('caddy'), 'put', join(place, 'build'))
    const [uid, gid, ...facts] = genba(values('caddy'), 'run').trim().split('\n')
    expect([Number(uid), Number(gid)]).not.toContain(0)
    if (process.getuid?.() !== 0) return
    const PORTS_ONLY = (1 << 10).toString(16).padStart(16, '0')
    const sets = facts.map((line) => line.split(/:\s+/))
    expect(sets.filter(([name]) => name !== 'NoNewPrivs').map(([, set]) => set)).toEqual(
      Array(5).fill(PORTS_ONLY),
    )
    expect(sets.find(([name]) => name === 'NoNewPrivs')).toEqual(['NoNewPrivs', '1'])
  })

  test('a key that it cannot read is said', () => {
    if (process.getuid?.() !== 0) return
    genba(values('caddy'), 'put', join(place, 'build'))
    const { status, stderr } = spawnSync(SCRIPT, ['run'], { env: values('caddy'), encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining('を読めません')])
  })

  test('the image, whose bases are named by digest', () => {
    const lines = deployed('Containerfile').split('\n')
    const bases = lines.filter((line) => line.startsWith('FROM'))
    expect(bases).toHaveLength(2)
    for (const base of bases) expect(base).toMatch(/^FROM [\w.:-]+@sha256:[\da-f]{64}( AS build)?$/)
    expect(lines.findLast((line) => line.startsWith('USER'))).toBe('USER genba')
    expect(lines.findLastIndex((line) => /^(USER|CMD)/.test(line))).toBe(
      lines.findIndex((line) => line.startsWith('CMD')),
    )
  })

  test('the unit, which systemd reads without a remark', () => {
    if (!existsSync('/usr/bin/systemd-analyze')) return
    write('genba.service', deployed('genba.service').replaceAll('/opt/genba/deploy', resolve(SCRIPT, '..')))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(place, 'genba.service')], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })

  test('nginx’s workers', () => expect(deployed('nginx.conf')).toMatch(/^user @USER@;/m))
})

describe('[decisions/hosting] of the CRM behind it', () => {
  const passed = FOREIGN_PASSED.map((name) => name.toLowerCase()).toSorted()

  test('nginx drops every header that acts, and obeys none', () => {
    const hidden = [...deployed('nginx.conf').matchAll(/proxy_hide_header ([\w-]+);/g)].map(
      ([, name]) => name,
    )
    expect(Object.keys(ACTING_HEADERS).filter((name) => !hidden.includes(name))).toEqual([])
    expect(hidden.filter((name = '') => passed.includes(name.toLowerCase()))).toEqual([])
  })

  test('both servers have the list of what passes', () => {
    const names = (text = '') =>
      text
        .match(/[\w-]+/g)
        ?.map((name) => name.toLowerCase())
        .toSorted()
    const [, ...set] = /\(genba_answer\)[^]*?\n\}/.exec(deployed('Caddyfile'))?.[0].split('header @') ?? []
    expect(set.map((each) => /\{\s+([\w-]+) /.exec(each)?.[1]?.toLowerCase())).toEqual(passed)
    expect(names(/PASSED = \[([^\]]*)/.exec(deployed('answer-headers.js'))?.[1])).toEqual(passed)
  })

  test('nginx without its module for JavaScript is refused, for it has no list', () => {
    const put = (server: string) => {
      const env = values(server)
      rmSync(join(place, 'modules/50-mod-http-js.conf'))
      return spawnSync(SCRIPT, ['put', join(place, 'build')], { env, encoding: 'utf8' })
    }
    expect(put('nginx')).toMatchObject({ status: 1, stderr: expect.stringContaining('http-js がありません') })
    expect(put('caddy').status).toBe(0)
    genba(values('nginx'), 'put', join(place, 'build'))
    expect(read('nginx.conf').match(/js_header_filter answers\.passListed;/g)).toHaveLength(2)
    expect(read('answer-headers.js')).toBe(deployed('answer-headers.js'))
  })
})

describe.each(Object.entries(NAMES))('[decisions/hosting] %s', (server, file) => {
  test.each(Object.entries(optional))('a host %s gets a configuration without gaps', (_, more) => {
    genba({ ...values(server), ...more }, 'put', join(place, 'build'))
    const written = read(file)
    expect(written.replace(/^#.*/, '')).not.toMatch(/@[A-Z_]+@/)
    expect(written).toContain('https://crm.example.jp')
    expect(written.includes('127.0.0.1:4318')).toBe('GENBA_OTLP' in more)
    expect(read(`headers.${server}`)).toContain(`connect-src 'self'${more['GENBA_CONNECT'] ? ' ' : ';'}`)
  })

  test('names what of the examples is not filled in, and is silent where all is', () => {
    const told = (env: Record<string, string>) => {
      const { stderr } = spawnSync(SCRIPT, ['put', join(place, 'build')], { env, encoding: 'utf8' })
      return stderr.split('\n').filter((line) => line.includes('例'))
    }
    const env = values('nginx')
    copyFileSync(resolve(SCRIPT, '../config.example.json'), join(place, 'root/config.json'))
    const [key, ...hosts] = told({ ...env, GENBA_FILES: 'https://files.genba.test' })
    expect(key).toContain('securityKey')
    expect(hosts.map((line) => line.match(/GENBA_\w+/)?.[0])).toEqual(['GENBA_SITE', 'GENBA_CRM'])
    write('root/config.json', '{"securityKey":"k"}')
    const own = Object.fromEntries(
      ['SITE', 'CRM', 'FILES'].map((name) => [
        `GENBA_${name}`,
        `${name === 'SITE' ? '' : 'https://'}genba.test`,
      ]),
    )
    expect(told({ ...env, ...own })).toEqual([])
  })

  test.each([
    ['as it was', false],
    ['from before the code reader, without headers for it', true],
  ])('the release before is served again, and both are known: %s', (_, isOld) => {
    if (isOld) rmSync(join(place, 'build/dist-about/headers-code.nginx'))
    genba(values(server), 'put', join(place, 'build'))
    release('1.1.0')
    genba(values(server), 'put', join(place, 'build'))
    expect(read(file)).toContain('1.1.0-abc')
    genba(values(server), 'back')
    expect(read(file)).toContain('1.0.0-abc')
    expect(genba(values(server), 'list')).toMatch(/\* 1\.0\.0-abc/)
    expect(read('headers-code.nginx')).toBe(isOld ? read('headers.nginx') : '')
    expect(read('headers.caddy').includes('(genba_code_headers)')).toBe(isOld)
  })

  test.each([
    ['GENBA_SITE', ''],
    ['GENBA_CRM', 'https://crm.example.jp/path'],
    ['GENBA_FILES', ''],
    ['GENBA_OTLP', 'collector'],
  ])('%s as "%s" is refused by its name, and nothing is written', (name, value) => {
    const env = { ...values(server), [name]: value }
    const { status, stderr } = spawnSync(SCRIPT, ['put', join(place, 'build')], { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining(name)])
    expect(() => read(file)).toThrow('ENOENT')
  })
})

test.each([
  ['has', true],
  ['lacks', false],
])('[decisions/hosting] an nginx that %s the module for brotli', (_, hasModule) => {
  if (hasModule) write('modules/50-mod-http-brotli-static.conf', '')
  genba(values('nginx'), 'put', join(place, 'build'))
  expect(read('nginx.conf').includes('brotli_static on;')).toBe(hasModule)
  expect(read('nginx.conf')).toContain('gzip_static on;')
})
