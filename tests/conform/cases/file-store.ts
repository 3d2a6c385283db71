/** I: the file store. Files that are made are deleted at the end; folders cannot be. */
import type { Bench } from '../bench.ts'
import { mustWhenReading, mustWhenWriting, wishWhenWriting } from '../clause.ts'
import { emergency, idOf, readOne } from '../records.ts'
import { address, fileToken, files, folder, folders, isRow, shaped, textOf, uploaded } from '../shapes.ts'
import { must, wished } from '../verdict.ts'
import type { Answer } from '../wire.ts'

const askToken = async (bench: Bench, signed = true) => {
  const { userInfo, accessToken } = await bench.session()
  const headers = { authorization: `Bearer ${accessToken}` }
  return bench.wire.call('POST', `${bench.at.files}/token`, { body: { userInfo }, headers, signed })
}

const token = (bench: Bench) =>
  bench.once('file token', async () => shaped(fileToken, (await askToken(bench)).json, 'token').access_token)

async function store(bench: Bench, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { access_token: await token(bench) }
  const bytes = path.startsWith('files/download/')
  return bench.wire.call(method, `${bench.at.files}/openapp/v1/${path}`, {
    body,
    headers,
    signed: false,
    bytes,
  })
}

const named = async (bench: Bench, parent: string, name: string) =>
  shaped(
    folder,
    (await store(bench, 'POST', `folders/create/${encodeURIComponent(parent)}`, { name })).json,
    'folders/create',
  ).node

/** The folder of the emergency report that was made: where the app puts its photos. */
const ownFolder = (bench: Bench) =>
  bench.once('folder', async () => {
    const { row } = await emergency(bench)
    const parent = textOf(row, 'emergencyReportFolderId') ?? ''
    const node = await named(bench, parent, textOf(row, 'name') ?? '')
    bench.made.push({ what: 'フォルダー', id: node.id, at: parent })
    return { ...node, parent, report: row }
  })

async function upload(bench: Bench, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const { id } = await ownFolder(bench)
  const form = new FormData()
  form.set('Filedata', new Blob([bytes], { type: 'image/jpeg' }), name)
  const answer = await store(bench, 'POST', `files/upload/${encodeURIComponent(id)}`, form)
  must(answer.status === 200, `files/upload が ${answer.status} でした。`)
  const file = shaped(uploaded, answer.json, 'files/upload')
  bench.made.push({ what: '写真', id: file.file_seq, at: id })
  return file
}

async function inFolder(bench: Bench, method: 'GET' | 'POST' = 'GET', keyword = '', limit = 1000) {
  const { id } = await ownFolder(bench)
  const body = method === 'POST' ? { keyword, limit } : undefined
  return shaped(
    files,
    (await store(bench, method, `files/index/${encodeURIComponent(id)}`, body)).json,
    'files/index',
  ).lists
}

const JPEG_START = [0xff, 0xd8, 0xff, 0xe0]
/** Bytes that no step may change: every value is there. */
const photo = (size: number) =>
  Uint8Array.from({ length: size }, (_, i) => JPEG_START[i] ?? (i * 7 + (i >> 8)) & 255)

const onFile = async (bench: Bench, what: string, body: object) =>
  store(bench, 'POST', `files/${what}/${encodeURIComponent((await ownFolder(bench)).id)}`, body)

const isDone = ({ status, json }: Answer) => status === 200 && isRow(json) && json['success'] === true

async function bytesOf(bench: Bench, file: { file_seq: string; name: string }): Promise<Uint8Array> {
  const answer = await onFile(bench, 'download', { ...file, flag_direct: 'Y' })
  must(answer.status === 200, `files/download が ${answer.status} でした。`)
  return answer.bytes
}

const same = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b)

const tokenCases = mustWhenReading([
  {
    id: 'I1',
    title: 'ファイル保管のトークン：署名が要り、expire は未来の秒',
    run: async (bench) => {
      const { expire } = shaped(fileToken, (await askToken(bench)).json, 'token')
      const now = bench.now() / 1000
      must(expire > now && expire < now + 10 * 366 * 86_400, `expire が ${expire} でした。`)
      const { status } = await askToken(bench, false)
      must(status === 401, `署名なしで ${status} でした。`)
    },
  },
  {
    id: 'I2',
    title: 'ファイル保管は、access_token のない呼び出しに 401',
    run: async (bench) => {
      const url = `${bench.at.files}/openapp/v1/folders/index/conform`
      for (const headers of [{}, { access_token: 'conform-no-such-token' }] as Record<string, string>[]) {
        const { status } = await bench.wire.call('GET', url, { headers, signed: false })
        must(status === 401, `${status} でした。`)
      }
    },
  },
])

const NAMES = [
  '適合試験 受水槽（１）.jpg',
  'か\u3099きく濁点.jpg',
  "a'b&c+d;e=f%20#1~.jpeg",
  '🚧 𠮷.png',
  `${'長'.repeat(60)}.jpg`,
]

const folderCases = mustWhenWriting([
  {
    id: 'I3',
    title: '同じ名前のフォルダーを二度作っても、同じ id。親の一覧に一つだけ出る',
    run: async (bench) => {
      const { id, parent, name } = await ownFolder(bench)
      must((await named(bench, parent, name)).id === id, '別のフォルダーができました。')
      const { lists } = shaped(
        folders,
        (await store(bench, 'GET', `folders/index/${encodeURIComponent(parent)}`)).json,
        'folders/index',
      )
      must(lists.filter((each) => each.name === name).length === 1, '一覧に一つではありません。')
    },
  },
  {
    id: 'I4',
    title: '写真は一覧に名前で出て、バイトはそのまま戻る',
    run: async (bench) => {
      const bytes = photo(70_001)
      const file = await upload(bench, '適合試験.jpg', bytes)
      const there = (await inFolder(bench)).find((each) => each.file_seq === file.file_seq)
      must(there?.name === '適合試験.jpg', `一覧の名前が ${there?.name ?? 'ありません'}。`)
      must(same(await bytesOf(bench, file), bytes), 'バイトが変わりました。')
      const link = shaped(
        address,
        (await onFile(bench, 'download', { ...file, flag_direct: 'N' })).json,
        'files/download',
      )
      const { status, bytes: linked } = await bench.wire.call(
        'GET',
        new URL(link.download_url, bench.options.url).href,
        { signed: false },
      )
      must(
        status === 200 && same(linked, bytes),
        `download_url が ${status}、${linked.length} バイトでした。`,
      )
    },
  },
  {
    id: 'I5',
    title: 'ファイル名は一文字も変わらない（日本語、濁点の分かれた文字、記号、絵文字）',
    run: async (bench) => {
      for (const name of NAMES) {
        const file = await upload(bench, name, photo(40))
        const there = (await inFolder(bench)).find((each) => each.file_seq === file.file_seq)
        must(there?.name === name, `「${name}」が「${there?.name ?? ''}」になりました。`)
      }
    },
  },
  {
    id: 'I6',
    title: '同じ名前をもう一度送ると、二つ目のファイルになる（上書きしない）',
    run: async (bench) => {
      const [first, second] = [
        await upload(bench, '適合試験 二つ.jpg', photo(50)),
        await upload(bench, '適合試験 二つ.jpg', photo(60)),
      ]
      must(first.file_seq !== second.file_seq, '同じ file_seq でした。')
      const lists = await inFolder(bench)
      must(
        lists.filter(({ name }) => name === '適合試験 二つ.jpg').length === 2,
        '一覧に二つではありません。',
      )
      must((await bytesOf(bench, first)).length === 50, '一つ目が上書きされました。')
    },
  },
  {
    id: 'I7',
    title: '名前を変える、消す：一覧に出る、出なくなる',
    run: async (bench) => {
      const { file_seq } = await upload(bench, '適合試験 前.jpg', photo(44))
      must(
        isDone(await onFile(bench, 'rename', { file_seq, name: '適合試験 後.jpg' })),
        '名前を変えられません。',
      )
      const renamed = (await inFolder(bench)).find((each) => each.file_seq === file_seq)
      must(renamed?.name === '適合試験 後.jpg', `名前が ${renamed?.name ?? 'ありません'}。`)
      must(isDone(await onFile(bench, 'delete', { file_seq })), '消せません。')
      must(!(await inFolder(bench)).some((each) => each.file_seq === file_seq), '消したのに一覧にあります。')
    },
  },
  {
    id: 'I8',
    title: 'できないことは "success": false（または 4xx）。成功とは言わない',
    run: async (bench) => {
      for (const what of ['rename', 'delete', 'download']) {
        const body = { file_seq: 'conform-0', name: 'x.jpg', flag_direct: 'N' }
        const { status, json } = await onFile(bench, what, body)
        const refused = status >= 400 ? status < 500 : isRow(json) && json['success'] === false
        must(refused, `ないファイルの ${what} が ${status} でした。`)
      }
    },
  },
  {
    id: 'I9',
    title: 'files/index の POST は keyword と limit で絞る',
    run: async (bench) => {
      const word = `絞る${bench.mark.slice(-7, -1)}`
      for (const name of [`${word} 一.jpg`, `${word} 二.jpg`, 'ほか.jpg'])
        await upload(bench, name, photo(41))
      const found = await inFolder(bench, 'POST', word)
      must(found.length === 2 && found.every(({ name }) => name.includes(word)), `${found.length} 件でした。`)
      must((await inFolder(bench, 'POST', word, 1)).length === 1, 'limit=1 が効きません。')
    },
  },
  {
    id: 'I10',
    title: '写真は設定の大きさ（imageSizeLimit、既定 10 MB）まで入る',
    run: async (bench) => {
      const bytes = photo(bench.options.imageSizeLimit * 1024 * 1024)
      const file = await upload(bench, '適合試験 最大.jpg', bytes)
      must(same(await bytesOf(bench, file), bytes), 'バイトが変わりました。')
    },
  },
])

const pathCases = wishWhenWriting([
  {
    id: 'I11',
    title: 'フォルダーができると、記録の filePath がその id になる',
    without: 'アプリは、記録の名前のフォルダーを親のフォルダーの中から探します。',
    run: async (bench) => {
      const { id, report } = await ownFolder(bench)
      const filePath = textOf(await readOne(bench, 'emergencyReport', report), 'filePath')
      wished(filePath !== null, `${idOf(report)} の filePath がありません。`)
      must(filePath === id, `filePath が ${filePath}、フォルダーは ${id} でした。`)
    },
  },
])

export const fileStoreClauses = [...tokenCases, ...folderCases, ...pathCases]

/** Deletes the files that the cases made. @returns those that could not be */
export async function deleteFiles(bench: Bench): Promise<void> {
  for (const file of bench.made.filter(({ what }) => what === '写真')) {
    const path = `files/delete/${encodeURIComponent(file.at)}`
    const answer = await store(bench, 'POST', path, { file_seq: file.id }).catch(() => null)
    // one that a case deleted itself is gone as well
    if (answer && answer.status < 500) bench.made.splice(bench.made.indexOf(file), 1)
  }
}
