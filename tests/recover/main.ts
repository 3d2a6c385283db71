/**
 * `npm run recover -- BUNDLE KEY`: a sealed bundle as files in a folder beside it (decisions/encryption). Ends with 1
 * where it is not whole.
 */
import { readFile } from 'node:fs/promises'
import { linesOf } from './lines.ts'
import { BundleError, openBundle } from './open-bundle.ts'
import { plainly } from './plainly.ts'
import { privateKeyOf, type PrivateKey } from './private-key.ts'
import { writeFolder } from './write-folder.ts'

/** In characters. The longest has a photo of up to 100 MB, in base64. */
const BUNDLE_LINE_MAX = 160_000_000

const USAGE =
  '使い方：npm run recover -- 封印したままのファイル 秘密鍵.pem（鍵に合言葉があれば環境変数 RECOVER_PASSPHRASE）'

/** The recovery key's public half is no secret: whoever has it can write a file that opens. */
const UNPROVEN =
  '【注意】このファイルをだれが作ったかは、確かめられません（公開鍵があれば、だれでも作れます）。CRM に入力する前に、内容を本人に確かめてください。'

const say = (text: string) => console.log(plainly(text))
const warn = (text: string) => console.error(plainly(text))

const whyOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function keyAt(path: string): Promise<PrivateKey> {
  const pem = await readFile(path, 'utf8')
  try {
    return await privateKeyOf(pem, process.env['RECOVER_PASSPHRASE'])
  } catch (error) {
    throw new BundleError(
      `${path} をRSAの秘密鍵（PEM）として読めません。合言葉があれば環境変数 RECOVER_PASSPHRASE に入れてください。（${whyOf(error)}）`,
    )
  }
}

async function main([path, keyPath]: readonly string[]): Promise<number> {
  if (path === undefined || keyPath === undefined) {
    warn(USAGE)
    return 1
  }
  const folder = `${path.replace(/\.txt$/, '')}-opened`
  try {
    const key = await keyAt(keyPath)
    const { records, photos, spoiled } = await writeFolder(
      folder,
      openBundle(linesOf(path, BUNDLE_LINE_MAX), key),
    )
    say(`${folder} に、記録 ${records}件と写真 ${photos}枚を書きました。`)
    warn(UNPROVEN)
    if (spoiled > 0) warn(`壊れていて開けないもの ${spoiled}件（records.json の spoiled）`)
    return spoiled > 0 ? 1 : 0
  } catch (error) {
    warn(error instanceof RangeError ? '封印したままのファイルではありません。' : whyOf(error))
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
