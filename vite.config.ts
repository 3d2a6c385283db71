import { resolve } from 'node:path'
import { types, type PluginObj } from '@babel/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import babel from '@rolldown/plugin-babel'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { compression } from 'vite-plugin-compression2'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { defaultClientConditions, type Plugin } from 'vite'
import { aboutTheBuild } from './.build/about.ts'
import { arkTypeWithoutFunction } from './.build/arktype-without-function.ts'
import { catalogues, textNumbers } from './.build/catalogues.ts'
import { sharedGroups } from './.build/chunks.ts'
import { ALL_COMPILED, compiledCode } from './.build/compiled-code.ts'
import { inlineScripts } from './.build/inline-scripts.ts'
import { laterStyles, scopedName } from './.build/later-styles.ts'
import { ownValues } from './.build/own-values.ts'
import { policyInPage, previewHeaders } from './.build/policy-plugin.ts'
import { integrityOfEntries } from './.build/precache.ts'
import { codeInWorker } from './.build/worker-code.ts'
import packageJson from './package.json' with { type: 'json' }

const numbers = await textNumbers()

/**
 * Every text is compiled into the module that says it, and so is loaded with it: a catalogue of all texts would be loaded
 * before the first screen (decisions/forms). Another language is a catalogue that wins by id (decisions/screens).
 */
const compiledTexts: PluginObj = {
  visitor: {
    Program: {
      exit: (program) =>
        program.traverse({
          ObjectProperty({ node, parentPath }) {
            const isDescriptor = parentPath.node.leadingComments?.some(({ value }) => value === 'i18n')
            if (!isDescriptor || !types.isStringLiteral(node.value)) return
            const { value } = node.value
            if (types.isIdentifier(node.key, { name: 'message' }))
              node.value = types.valueToNode(compileMessageOrThrow(value))
            if (types.isIdentifier(node.key, { name: 'id' }))
              node.value = types.stringLiteral(numbers.get(value) ?? value)
          },
        }),
    },
  },
}

const linguiMacro = {
  preset: {
    plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }], compiledTexts],
  },
  rolldown: { filter: { code: /from ['"]@lingui\/(?:core|react)\/macro['"]/ } },
}

/** The demo CRM behind `vite preview`, for the browser tests (DEMO_CRM=1). */
const demoCrmServer: Plugin = {
  name: 'demo-crm-server',
  async configurePreviewServer({ middlewares }) {
    if (process.env['DEMO_CRM'] !== '1') return
    const { demoCrmMiddleware } = await import('./src/demo-crm/node-host.ts')
    const { createDemoCrm } = await import('./src/demo-crm/demo-crm.ts')
    const { createMemoryStore } = await import('./src/demo-crm/world/store.ts')
    const env = {
      apiEndpoint: '/api/v1',
      crmEndpoint: 'crm',
      securityEndpoint: 'security',
      securityKey: 'demo-key',
      fileStoreEndpoint: '/doccloud',
    }
    const clock = { aheadMs: 0, daysAhead: Number(process.env['DEMO_CRM_DAYS'] ?? 60) }
    const now = () => Date.now() + clock.aheadMs
    const daysAhead = () => clock.daysAhead
    const crm = createDemoCrm({ env, store: createMemoryStore(), now, daysAhead })
    middlewares.use(demoCrmMiddleware(crm, clock))
  },
}

/**
 * The one style sheet stands in the page: the first paint waits for it, and a file of its own is one more way there and
 * back. The service worker keeps the page, so it comes anew with a new version only (decisions/speed).
 */
const styleInPage: Plugin = {
  name: 'style-in-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      return html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (link, name: string) => {
        const file = bundle[name]
        if (file?.type !== 'asset') return link
        delete bundle[name]
        return `<style>${String(file.source).trim()}</style>`
      })
    },
  },
}

/** Dexie's build for browsers that know classes and promises: what the other one brings along for those that do not is left out. */
const modernDexie: Plugin = {
  name: 'modern-dexie',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^dexie$/ },
    handler(_, importer) {
      return this.resolve('dexie/dist/modern/dexie.mjs', importer, { skipSelf: true })
    },
  },
}

/** The PDF library's own copy of tslib: one with rxjs's is in what a start loads. */
const tslibOfPdf: Plugin = {
  name: 'tslib-of-pdf',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^tslib$/ },
    async handler(id, importer) {
      const found = importer?.includes('/@cantoo/') && (await this.resolve(id, importer, { skipSelf: true }))
      return found ? `${found.id}?pdf` : null
    },
  },
}

/** Beside each file its .br and .gz, for a host that sends files as they are; nobody hosts the demo. */
const packed: Plugin = {
  ...compression({
    include: /\.(?:js|css|html|svg|wasm|webmanifest)$/,
    threshold: 1024,
    algorithms: ['brotliCompress', 'gzip'],
  }),
  apply: (_, { command, mode }) => command === 'build' && mode !== 'demo',
}

const manifest = {
  id: '/',
  name: '現場ワーク',
  short_name: '現場ワーク',
  description: '依頼の確認、入退館、安全対策、緊急報告を電波のない現場でも',
  lang: 'ja',
  dir: 'ltr' as const,
  start_url: '/request',
  scope: '/',
  display: 'standalone' as const,
  theme_color: '#08351f',
  background_color: '#f1f4f0',
  categories: ['business', 'productivity'],
  // answered by the service worker (src/app/updates/worker/worker.ts)
  share_target: {
    action: '/share',
    method: 'POST' as const,
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'photos', accept: ['image/*'] }] },
  },
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' as const },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' as const },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' as const },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' as const },
  ],
}

/** Fetched when a report is first made, and cached then (decisions/report-pdf). */
const PDF_LIBRARY = 'pdf-library'
/** The same for the reader of codes (decisions/camera). */
const WHEN_USED = [PDF_LIBRARY, 'code-worker']

/** The libraries in files of their own, and what the app's lazy parts share. */
const CHUNKS = [
  {
    name: 'react',
    test: /\/node_modules\/(?:react|react-dom|scheduler|@lingui|@tanstack\/(?!form-core|react-form|devtools))/,
  },
  { name: 'arktype', test: /\/node_modules\/(?:arktype|@ark|arkregex)\// },
  // RxDB's own storage is loaded only with a version of RxDB that was not tested (`src/data/storage/plain-storage.ts`).
  {
    name: 'database',
    test: /\/node_modules\/(?:rxdb(?!\/dist\/esm\/plugins\/storage-dexie\/rx-)|dexie|rxjs|idb-keyval)\//,
  },
  {
    name: PDF_LIBRARY,
    test: /\/node_modules\/(?:@cantoo|brotli|culori|dfa|html-entities|node-html-better-parser|qr|restructure)\/|\?pdf$/,
  },
  ...sharedGroups,
]

/** Tests of pure functions, of the project's files, and of the demo CRM: they share a process, which saves loading the modules for each file. */
const PURE = ['tests/*.test.ts', 'tests/{schemas,demo-crm}/**/*.test.ts', 'tests/sync/wire/*.test.ts']
/** They open an IndexedDB of the whole process. */
const NOT_PURE = ['tests/demo-crm/hosts.test.ts', 'tests/recover.test.ts']
/** Tests of the sync with a process of their own; the others share one. */
const ALONE = [
  // RxDB's clock never goes back: here it goes ahead of the real one, or must not have seen the real one
  'retention/clean-up',
  'storage/plain-storage',
  'drafts/draft-clock',
  'retention/retention-law',
  'storage/storage-differential',
  // what is added is there for good: RxDB's plugins, its dev-mode, a resource
  'storage/storage-migration',
  'storage/storage-replication',
  'resources/fourteenth-resource',
  // the longest: of all tests of the sync these begin first, and nobody waits for the last of them
  'simulation/pull-simulation',
  'simulation/simulation',
  'simulation/smallest-world',
  'scheduler/fleet',
  'leadership/crm-crossings',
  'changes/random-day',
].map((name) => `tests/sync/${name}.test.ts`)
/** Where nothing is drawn. */
const WITHOUT_PAGE = {
  environment: 'node',
  testTimeout: 40_000,
  // RxDB's own tests of a storage, which want a package that RxDB does not bring along
  server: { deps: { inline: [/rxdb\/dist\/esm\/plugins\/test-utils/] } },
  alias: { 'async-test-util': resolve(import.meta.dirname, 'tests/support/async-test-util.ts') },
}
const QUICKER = ['temporal-polyfill/global', 'tests/support/in-this-thread.ts']
const SHARING_A_PROCESS = [...QUICKER, 'tests/support/nothing-left.ts']
/** Where a screen is drawn: those tests, too, share a process. */
const WITH_PAGE = {
  environment: 'happy-dom',
  setupFiles: [...QUICKER, 'tests/support/react-without-stacks.ts', 'tests/support/screens.ts'],
  testTimeout: 40_000,
}
/** Their modules are loaded anew, or are others than the app's; each has a process of its own, and names what is its page. */
const WITH_NEW_MODULES = ['lib/image/image-size', 'lib/time/user-timing'].map(
  (name) => `tests/${name}.test.ts`,
)

export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, enableRouteTreeFormatting: false }),
    // every element passes through it: readings, and the language of what the CRM says (decisions/screens)
    react({ jsxImportSource: resolve(import.meta.dirname, 'src/ui/language') }),
    babel({ presets: [linguiMacro] }),
    catalogues(numbers),
    ownValues(),
    modernDexie,
    tslibOfPdf,
    laterStyles,
    arkTypeWithoutFunction(),
    inlineScripts(),
    // before the demo CRM: its answers, too, carry the headers
    previewHeaders,
    demoCrmServer,
    styleInPage,
    compiledCode,
    // after what changes the page's styles
    policyInPage(),
    VitePWA({
      registerType: 'prompt',
      injectRegister: null,
      manifest,
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'],
        globIgnores: WHEN_USED.map((name) => `**/${name}-*.js`),
        navigateFallback: '/index.html',
        // what the host itself answers: what it passes on, /healthz, and files
        navigateFallbackDenylist: [
          /^\/(?:api|doccloud|otlp|assets|\.[^/]+)\//,
          /^\/healthz(?:\?|$)/,
          /^\/[^/?]*\.[^/?]*(?:\?|$)/,
        ],
        cleanupOutdatedCaches: true,
        // the first page, too, gets its lazy chunks from the cache once the worker is there
        clientsClaim: true,
        // the policy lets a worker load no further script
        inlineWorkboxRuntime: true,
        sourcemap: false,
      },
      integration: { beforeBuildServiceWorker: integrityOfEntries(WHEN_USED) },
    }),
    codeInWorker(),
    aboutTheBuild(packageJson.version),
    packed,
  ],
  // of rxjs the build for browsers that know classes and generators: smaller, and without tslib
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  css: {
    modules: {
      // names that the shell in index.html can say, too
      generateScopedName: scopedName,
    },
  },
  build: {
    target: 'es2023',
    // all of it is less than half of what an extra round trip for a screen's own would cost, and the shell needs it
    cssCodeSplit: false,
    sourcemap: 'hidden',
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS }, postBanner: ALL_COMPILED } },
    // a browser that does not know it loads each file when it is wanted
    modulePreload: { polyfill: false },
  },
  test: {
    setupFiles: QUICKER,
    // CI's machine is at times busy with others: a test that waits in vain there gets another chance, and is listed
    retry: process.env['CI'] ? 2 : 0,
    // a test makes much and keeps little: with more room for what is new less of it is collected
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        extends: true,
        test: {
          ...WITHOUT_PAGE,
          name: 'node',
          include: [...ALONE, ...NOT_PURE, ...WITH_NEW_MODULES],
        },
      },
      {
        extends: true,
        test: {
          ...WITHOUT_PAGE,
          name: 'sync',
          include: ['tests/sync/**/*.test.ts'],
          exclude: [...ALONE, 'tests/sync/wire/*.test.ts'],
          isolate: false,
          setupFiles: SHARING_A_PROCESS,
        },
      },
      {
        extends: true,
        test: {
          ...WITHOUT_PAGE,
          name: 'pure',
          include: PURE,
          exclude: NOT_PURE,
          isolate: false,
          setupFiles: SHARING_A_PROCESS,
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          include: ['tests/{app,data,features,form,lib,messages,ui}/**/*.test.{ts,tsx}'],
          exclude: WITH_NEW_MODULES,
          isolate: false,
          ...WITH_PAGE,
        },
      },
    ],
  },
})
