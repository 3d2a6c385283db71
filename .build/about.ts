/** Source maps, Vite's manifest, headers, bill of materials and licences: beside the build, and not on the host. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { headersFor } from './content-policy.ts'
import { billOfMaterials, licences } from './materials.ts'

/** `dist` → `dist-about` */
const aboutFolder = (dist: string) => `${dist}-about`

export function aboutTheBuild(): Plugin {
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
        moveAside(dist, about)
        const bill = billOfMaterials(config.root)
        const headers = Object.entries(headersFor(readFileSync(page, 'utf8')))
        writeFileSync(join(about, 'headers.txt'), headers.map((each) => `${each.join(': ')}\n`).join(''))
        writeFileSync(join(about, 'bom.cdx.json'), bill)
        writeFileSync(join(about, 'licences.txt'), licences(config.root, bill))
      },
    },
  }
}

const isNotForVisitors = (path: string) => path.endsWith('.map') || path.startsWith('.vite')

function moveAside(dist: string, about: string) {
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
