/** Whether a call is as `docs/generated/openapi.json` describes it: path, query, headers and the type of its body. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import { env, sign } from '../demo-crm/harness.ts'

const parameter = type({ in: "'query' | 'path' | 'header'", name: 'string', 'required?': 'boolean' })
const operation = type({
  operationId: 'string',
  security: type('Record<string, unknown>').array(),
  'parameters?': type('object').array(),
  'requestBody?': { content: 'Record<string, object>' },
})
const document = type({
  paths: 'Record<string, Record<string, object>>',
  components: { parameters: 'Record<string, object>' },
}).assert(JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/generated/openapi.json'), 'utf8')))

interface Described {
  id: string
  method: string
  path: RegExp
  guards: string[]
  parameters: (typeof parameter.infer)[]
  media: string | undefined
}

const parameterOf = (value: object) => {
  const reference: unknown = Reflect.get(value, '$ref')
  const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : null
  return parameter.assert(name === null ? value : document.components.parameters[name])
}

const described: Described[] = Object.entries(document.paths).flatMap(([path, calls]) =>
  Object.entries(calls).map(([method, value]) => {
    const { operationId, security, parameters = [], requestBody } = operation.assert(value)
    return {
      id: operationId,
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      guards: security.flatMap((each) => Object.keys(each)),
      parameters: parameters.map(parameterOf),
      media: Object.keys(requestBody?.content ?? {})[0],
    }
  }),
)

/** Ids of all calls. */
export const describedIds: readonly string[] = described.map(({ id }) => id)

/** Headers that say who may call. */
const GUARDS = { bearer: 'authorization', signature: 'x-signature', fileToken: 'access_token' } as const

/** @returns its id in the document, and what of it is otherwise than there */
export async function asDescribed(request: Request): Promise<{ id: string; faults: string[] }> {
  const { pathname, search, searchParams } = new URL(request.url)
  const candidates = described.filter(({ method, path }) => method === request.method && path.test(pathname))
  // of `request/search` and `request/{id}` the one without a place for an id
  const found = candidates.find(({ path }) => !path.source.includes('[^')) ?? candidates[0]
  if (!found) return { id: '', faults: [`${request.method} ${pathname}: no such call`] }
  const { id, guards, parameters, media } = found
  const namesOf = (where: 'query' | 'header') => parameters.filter((each) => each.in === where)
  const header = (name: string) => request.headers.get(name)
  const wantedGuards = Object.entries(GUARDS).filter(([guard]) => guards.includes(guard))
  const allowed = ['accept', ...(media ? ['content-type'] : []), ...wantedGuards.map(([, name]) => name)]
  const text = media === 'multipart/form-data' ? '' : await request.clone().text()
  const faults = [
    ...wantedGuards.flatMap(([, name]) => (header(name) ? [] : [`without ${name}`])),
    ...namesOf('header').flatMap(({ name, required }) =>
      required && !header(name) ? [`without ${name}`] : [],
    ),
    ...[...request.headers.keys()]
      .filter(
        (name) => ![...allowed, ...namesOf('header').map((each) => each.name.toLowerCase())].includes(name),
      )
      .map((name) => `with ${name}`),
    ...[...searchParams.keys()]
      .filter((name) => !namesOf('query').some((each) => each.name === name))
      .map((name) => `asks ?${name}`),
    ...(media && !header('content-type')?.startsWith(media) ? [`is ${header('content-type')}`] : []),
    ...(guards.includes('bearer') && !/^Bearer \S+$/.test(header('authorization') ?? '')
      ? ['no bearer']
      : []),
    ...(guards.includes('signature') &&
    header('x-signature') !== sign(request.method, pathname + search, text, env.securityKey)
      ? ['signed otherwise']
      : []),
    ...(media === 'application/json' && !isObject(text) ? ['no JSON object'] : []),
    ...(!media && text !== '' ? ['has a body'] : []),
    ...(header('accept') ? [] : ['without accept']),
  ]
  return { id, faults: faults.map((fault) => `${id}: ${fault}`) }
}

function isObject(text: string): boolean {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null
}
