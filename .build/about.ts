/**
 * Writes files about the build to `dist-about`, which is not served: source maps, Vite's manifest, headers, bill of
 * materials and licences. Only `version.json` is written to `dist` and served.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import {
  caddyHeaders,
  CODE_READER,
  FOREIGN_HEADERS,
  FOREIGN_PASSED,
  headersFor,
  headersOfCodeReader,
  nginxHeaders,
} from './content-policy.ts'
import { billOfMaterials, licences } from './materials.ts'

/** Example: `dist` → `dist-about`. */
const aboutFolder = (dist: string) => `${dist}-about`

/** @param version the version in package.json */
export function aboutTheBuild(version: string): Plugin {
  let config: ResolvedConfig
  return {
    name: 'about-the-build',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler(error) {
        const dist = resolve(config.root, config.build.outDir)
        const page = join(dist, 'index.html')
        if (error || !existsSync(page)) return
        const about = aboutFolder(dist)
        rmSync(about, { recursive: true, force: true })
        movePrivateFiles(dist, about)
        const bill = billOfMaterials(config.root)
        const html = readFileSync(page, 'utf8')
        writeFileSync(join(dist, 'version.json'), versionOf(html, version))
        writeHeaders(about, html)
        writeFileSync(join(about, 'bom.cdx.json'), bill)
        writeFileSync(join(about, 'licences.txt'), licences(config.root, bill))
      },
    },
  }
}

/**
 * The text of `version.json`. `build` differs for every change of the app, because the page names its scripts by
 * their hashes.
 */
const versionOf = (html: string, version: string) => {
  const build = createHash('sha256').update(html).digest('hex').slice(0, 12)
  return `${JSON.stringify({ version, build })}\n`
}

/**
 * Writes two sets of headers, those of the host's own files and those of the CRM's answers: as text for readers, and
 * as files that the servers of deploy/ include.
 */
export function writeHeaders(about: string, html: string): void {
  const headers = headersFor(html)
  const reader = headersOfCodeReader(headers)
  writeFileSync(join(about, 'headers.txt'), linesOf(headers))
  writeFileSync(join(about, 'headers-code.txt'), `${CODE_READER}*\n${linesOf(reader)}`)
  writeFileSync(
    join(about, 'headers-foreign.txt'),
    `${linesOf(FOREIGN_HEADERS)}\n${FOREIGN_PASSED.join('\n')}\n`,
  )
  writeFileSync(join(about, 'headers.nginx'), nginxHeaders(headers))
  writeFileSync(join(about, 'headers-code.nginx'), nginxHeaders(reader))
  writeFileSync(join(about, 'headers-foreign.nginx'), nginxHeaders(FOREIGN_HEADERS))
  writeFileSync(
    join(about, 'headers.caddy'),
    caddyHeaders('genba_headers', headers) +
      caddyHeaders('genba_code_headers', reader) +
      caddyHeaders('genba_foreign_headers', FOREIGN_HEADERS),
  )
}

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map((each) => `${each.join(': ')}\n`)
    .join('')

const isNotForVisitors = (path: string) => path.endsWith('.map') || path.startsWith('.vite')

function movePrivateFiles(dist: string, about: string) {
  mkdirSync(about, { recursive: true })
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(isNotForVisitors)) {
    if (path === '.vite') continue
    const to = join(about, path.replace(/^\.vite/, ''))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(dist, path), to)
    rmSync(join(dist, path))
  }
  rmSync(join(dist, '.vite'), { recursive: true, force: true })
}
