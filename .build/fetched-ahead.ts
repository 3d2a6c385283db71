/**
 * What a start needs first, and a first visit after it, named by the build in order of need (decisions 0106, 0116 and 0117): a
 * module that only the code before it names is one more way there and back. `src/app/fetch-ahead.ts` puts them to use.
 *
 *     <template id="ahead-start">   the first chunks
 *     <template id="ahead-login">   the login's form, and what reads the configuration
 *     <template id="ahead-list" data-from="/assets/ahead-….json">   a file that names the list, and the sync that fills it:
 *                                   with its names in it the page would not fit into the first ten packets
 */
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** By their files; what is imported by their own code comes along. Modules that are chunks in the page already are left out. */
export const AHEAD: Readonly<Record<'login' | 'list', readonly string[]>> = {
  // who signs in waits for the configuration: asked for after the files of the list it came last
  login: ['src/routes/login.tsx?tsr-split=component', 'src/app/read-config.ts'],
  list: [
    'src/app/network.ts',
    'src/app/journal.ts',
    'src/app/sign-in.ts',
    'src/app/user-data.ts',
    'arktype',
    'schemas/session.ts',
    'sync/transport/login.ts',
    'src/app/tell-user.ts',
    'src/routes/_app.tsx?tsr-split=component',
    'src/routes/_app/request.index.tsx?tsr-split=component',
    'src/features/request/visit-days.tsx',
    'src/data/visits.ts',
    'src/data/interests.ts',
    'schemas/wire.ts',
    'schemas/quick-report.ts',
    'schemas/request.ts',
    // one after the other they are loaded (`start-sync-later.ts`), each a way there and back
    'schemas/change.ts',
    'schemas/emergency-report.ts',
    'schemas/safety-measure.ts',
    'schemas/customer-location-change-request.ts',
    'schemas/location-contact-change-request.ts',
    'schemas/note-location-area.ts',
    'schemas/past-report.ts',
    'sync/runtime/start-sync.ts',
  ],
}

/** A chunk of the build, as far as it is looked at. */
export interface BuiltChunk {
  fileName: string
  facadeModuleId: string | null
  moduleIds: readonly string[]
  imports: readonly string[]
}

/**
 * @param chunks of the build @param wanted modules in order of need @param known files that are on their way already
 * @returns the files of each with what it needs, once
 * @throws where a module is in no chunk: it has moved, and nothing of it would be fetched ahead
 */
export function filesAhead(
  chunks: readonly BuiltChunk[],
  wanted: readonly string[],
  known: ReadonlySet<string>,
): string[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file) || known.has(file)) return
    found.add(file)
    byFile.get(file)?.imports.forEach(add)
  }
  for (const module of wanted) {
    const own =
      chunks.find(({ facadeModuleId }) => facadeModuleId === module) ??
      chunks.find(({ moduleIds }) => moduleIds.includes(module))
    if (!own)
      throw new Error(`${module} is in no chunk: it cannot be fetched ahead (.build/fetched-ahead.ts)`)
    add(own.fileName)
  }
  return [...found]
}

export function fetchedAhead(): Plugin {
  let root = ''
  let list: NamedList | null = null
  return {
    name: 'fetched-ahead',
    apply: 'build',
    configResolved(config) {
      ;({ root } = config)
    },
    generateBundle: {
      // after the page
      order: 'post',
      handler() {
        if (list) this.emitFile({ type: 'asset', ...list })
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const named = (id: string) =>
          id.includes('/node_modules/arktype/out/index.js') ? 'arktype' : relative(root, id)
        const chunks = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk'
            ? [
                {
                  ...file,
                  facadeModuleId: file.facadeModuleId && named(file.facadeModuleId),
                  moduleIds: file.moduleIds.map(named),
                },
              ]
            : [],
        )
        const known = new Set(
          [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file),
        )
        const login = filesAhead(chunks, AHEAD.login, known)
        for (const file of login) known.add(file)
        list = namedList(filesAhead(chunks, AHEAD.list, known))
        const { fileName } = list
        return startInTemplate(html)
          .replace('<template id="ahead-login"></template>', () => templateOf('login', login))
          .replace('<template id="ahead-list">', () => `<template id="ahead-list" data-from="/${fileName}">`)
      },
    },
  }
}

const FIRST_LINKS = /\s*<link rel="modulepreload"[^>]*>/g

/** The links of the first chunks stand in a template: how they are asked for is for `src/app/start-files.ts` to say. */
export function startInTemplate(html: string): string {
  const links = html.match(FIRST_LINKS) ?? []
  const [, entry] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? []
  const empty = '<template id="ahead-start"></template>'
  if (links.length === 0 || entry === undefined || !html.includes(empty))
    throw new Error('the page names no first chunks (.build/fetched-ahead.ts)')
  const inside = links.map((link) => link.trim()).join('')
  return html
    .replaceAll(FIRST_LINKS, '')
    .replace(empty, () => `<template id="ahead-start" data-build="${entry}">${inside}</template>`)
}

interface NamedList {
  fileName: string
  source: string
}

/** Named by what it says, as all of `/assets`: a host may keep it for good. */
function namedList(files: readonly string[]): NamedList {
  const source = JSON.stringify(files.map((file) => `/${file}`))
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return { fileName: `assets/ahead-list-${hash}.json`, source }
}

const templateOf = (name: string, files: readonly string[]) =>
  `<template id="ahead-${name}">${files
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
    .join('')}</template>`
