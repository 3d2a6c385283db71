/** What the build makes sure of, by its own functions (.build): the policy, the values, the hashes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isOfScreens, neededBy, WITHOUT_SCREEN } from '#build/chunks.ts'
import { contentPolicies, headersFor, withPolicy } from '#build/content-policy.ts'
import { AHEAD, filesAhead, startInTemplate } from '#build/fetched-ahead.ts'
import { scopedNames } from '#build/later-styles.ts'
import { problemsOf } from '#build/own-values.ts'
import { integrityOf } from '#build/precache.ts'
import { withKeyOrder } from '#build/rxdb-without-collator.ts'

const PAGE =
  '<meta charset="utf-8" /><style>a{}</style><script>one()</script><script type="module" src="/assets/a.js"></script>'

describe('[decision 0050] the policy of a page', () => {
  test('names what stands in it by its hash, allows no other text, and says where it may call', () => {
    const [policy, folders] = contentPolicies(PAGE, ['https://crm.example/api/v1', '/doccloud'])
    expect(`${policy} ${folders}`).not.toMatch(/unsafe|http:/)
    expect(policy).not.toContain('*')
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}=';/)
    // on this origin are the answers of the CRM, too: both policies hold, and the second names folders
    expect(folders).toMatch(
      /^script-src \*:\*\/assets\/ 'sha256-[\w+/]{43}='; worker-src \*:\*\/assets\/ \*:\*\/sw\.js;/,
    )
    expect(policy).toMatch(/trusted-types [\w-]+$/)
    expect(policy).not.toMatch(/trusted-types.*default|allow-duplicates/)
    expect(policy).toContain("connect-src 'self' https://crm.example;")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("default-src 'none'")
  })

  test('is another one for another script', () =>
    expect(contentPolicies(PAGE.replace('one()', 'two()'), [])).not.toEqual(contentPolicies(PAGE, [])))

  test('stands in the page, and in the headers with what only a header can say', () => {
    const page = withPolicy(PAGE, [])
    const [policy, folders] = contentPolicies(PAGE, [])
    for (const each of [policy, folders]) expect(page).toContain(`content="${each}"`)
    expect(headersFor(page)).toMatchObject({
      'Content-Security-Policy': `${policy}; frame-ancestors 'self', ${folders}`,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
    expect(() => headersFor(PAGE)).toThrow('Content-Security-Policy')
  })
})

describe('a production build', () => {
  const own = {
    VITE_API_ENDPOINT: 'https://crm.example/api/v1',
    VITE_CRM_ENDPOINT: 'crm',
    VITE_SECURITY_ENDPOINT: 'security',
    VITE_SECURITY_KEY: 'own',
    VITE_FILE_STORE_ENDPOINT: 'https://files.example',
    VITE_FILE_STORE_ERROR_LOG_FOLDER: 'logs',
  }

  test('needs all of its own values, and says which are missing', () => {
    expect(problemsOf(own)).toEqual([])
    // all of them come from config.json
    expect(problemsOf({})).toEqual([])
    for (const name of Object.keys(own))
      expect(problemsOf({ ...own, [name]: '' })).toEqual([`${name} がありません`])
    expect(problemsOf({ ...own, VITE_SECURITY_KEY: 'demo-key' }).join()).toContain('demo-key')
  })

  // the example of the standard (Subresource Integrity, 3.1)
  test('lists a file by the hash that a browser checks', () =>
    expect(integrityOf(Buffer.from("alert('Hello, world.');"))).toBe(
      'sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO',
    ))

  test('is made of exact versions', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string>>
    const versions = Object.values({ ...dependencies, ...devDependencies })
    expect(versions.length).toBeGreaterThan(40)
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })
})

describe('[decision 0026] styles that come later', () => {
  test('have the names that a style sheet would give them, every one that a screen says', () => {
    const folder = resolve(import.meta.dirname, '../src/ui')
    const names = scopedNames(
      readFileSync(resolve(folder, 'photo.module.css'), 'utf8'),
      '/x/photo.module.css',
    )
    const said = [...readFileSync(resolve(folder, 'photo.tsx'), 'utf8').matchAll(/styles\.(\w+)/g)]
    expect(said.length).toBeGreaterThan(5)
    for (const [, name = ''] of said) expect(names[name]).toBe(`photo_${name}`)
    expect(scopedNames('.job-failed .why{}', '/x/queue.module.css')).toEqual({
      'job-failed': 'queue_job-failed',
      why: 'queue_why',
    })
  })
})

describe('[decision 0107] what the screens share, in one file', () => {
  const root = resolve(import.meta.dirname, '..')
  const [running = ''] = WITHOUT_SCREEN
  const imports: Record<string, string[]> = {
    '/src/form/form.ts': ['/src/ui/sheet.ts'],
    '/src/ui/sheet.ts': ['/src/form/form.ts', '/node_modules/lucide-react/index.js'],
    '/src/form/checked.ts': ['/src/form/rules.ts'],
    '/src/form/rules.ts': ['/node_modules/arktype/index.js'],
    // an index of all icons, of which a build takes few
    '/node_modules/lucide-react/index.js': ['/node_modules/arktype/index.js'],
    [`${root}/${running}`]: ['/src/lib/figures.ts'],
  }
  const needed = neededBy((id) => imports[id] ?? [])

  test('has modules that need each other, and icons', () => {
    expect(isOfScreens('/src/form/form.ts', needed)).toBe(true)
    expect(isOfScreens('/src/ui/sheet.ts', needed)).toBe(true)
  })

  test('has none that brings ArkType along', () =>
    expect(['/src/form/checked.ts', '/src/form/rules.ts'].map((id) => isOfScreens(id, needed))).toEqual([
      false,
      false,
    ]))

  test('has none that runs without a screen', () =>
    expect(isOfScreens('/src/lib/figures.ts', needed)).toBe(false))
})

describe('[decision 0106] what a first visit needs next', () => {
  const chunk = (
    fileName: string,
    moduleIds: string[],
    imports: string[] = [],
    facadeModuleId: string | null = null,
  ) => ({
    fileName,
    moduleIds,
    imports,
    facadeModuleId,
  })
  const chunks = [
    chunk('entry.js', ['src/main.tsx'], ['first.js']),
    chunk('first.js', ['react']),
    chunk('network.js', ['src/app/network.ts'], ['first.js', 'rxjs.js']),
    chunk('rxjs.js', ['rxjs']),
    // what is asked for by name is a file of its own beside the chunk that holds it
    chunk('network-name.js', [], ['network.js'], 'src/app/network.ts'),
  ]

  test('is each file once, in order of need, without what the page loads already', () =>
    expect(filesAhead(chunks, ['src/app/network.ts', 'rxjs'], new Set(['entry.js', 'first.js']))).toEqual([
      'network-name.js',
      'network.js',
      'rxjs.js',
    ]))

  test('ends the build where a module is not found any more', () =>
    expect(() => filesAhead(chunks, ['src/app/gone.ts'], new Set())).toThrow('src/app/gone.ts'))

  test('has all that the sync is made of: each is asked for after the one before', () => {
    const start = readFileSync(resolve(import.meta.dirname, '../src/app/start-sync-later.ts'), 'utf8')
    const loaded = [...start.matchAll(/import\('#?([^']+)'\)/g)].map(([, module = '']) => module)
    expect(loaded.length).toBeGreaterThan(10)
    expect(loaded.filter((module) => !AHEAD['list']?.includes(module))).toEqual([])
  })

  test('is named by files that are there', () => {
    for (const module of Object.values(AHEAD)
      .flat()
      .filter((each) => each !== 'arktype'))
      expect(() => readFileSync(resolve(import.meta.dirname, '..', module.split('?')[0] ?? ''))).not.toThrow()
  })
})

describe('[decision 0116] what was compiled is taken', () => {
  const script = '<script type="module" crossorigin src="/assets/index-1.js"></script>'
  const links = ['routes', 'first'].map(
    (name) => `<link rel="modulepreload" crossorigin href="/assets/${name}-1.js">`,
  )
  const template = '<template id="ahead-start"></template>'

  test('the first chunks are named in a template, with the build they are of, and nowhere else', () =>
    expect(startInTemplate([template, script, ...links].join('\n'))).toBe(
      `<template id="ahead-start" data-build="/assets/index-1.js">${links.join('')}</template>\n${script}`,
    ))

  test.each([
    ['template', [script, ...links]],
    ['script', [template, ...links]],
    ['first chunk', [template, script]],
  ])('a page without a %s is not built', (_, parts) =>
    expect(() => startInTemplate(parts.join(''))).toThrow('names no first chunks'),
  )

  test('RxDB’s names are sorted without the collator, and a version that sorts otherwise is not built', () => {
    const path = '../node_modules/rxdb/dist/esm/plugins/utils/utils-object.js'
    const code = readFileSync(resolve(import.meta.dirname, path), 'utf8')
    const changed = withKeyOrder(code, '/src/lib/key-order.ts')
    expect(changed).toContain('.sort((a, b) => keyOrder(a, b))')
    expect(changed).not.toContain('localeCompare')
    expect(() => withKeyOrder('a < b', '')).toThrow('in another way')
  })
})
