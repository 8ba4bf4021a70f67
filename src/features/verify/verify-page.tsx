import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { uploadMaxBytes } from '../../../shared/limits.ts'
import type { ImageMarks, SourceType } from '../../../shared/marks.ts'
import { postPath } from '../../../shared/routes.ts'
import { failureMessage } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { SmallImage } from '../../images/image.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { ImageFileButton, useFileDrop } from '../../ui/image-file.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { UserText } from '../../ui/text.tsx'
import styles from './verify.module.css'

/** The page on which anyone finds out whether an image comes from this site, and what its file says. */
export function VerifyPage() {
  const { i18n, t } = useLingui()
  const { name: siteName } = useSite()
  const { client } = trpc.useUtils()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (form: FormData) => client.posts.verify.mutate(form),
  })
  const [url, setUrl] = useState<string | null>(null)
  const [isTooLarge, setIsTooLarge] = useState(false)
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url])

  const { isDropping, dropHandlers } = useFileDrop(check)

  function check(file: File) {
    if (isPending) return
    reset()
    setUrl(URL.createObjectURL(file))
    setIsTooLarge(file.size > uploadMaxBytes)
    if (file.size > uploadMaxBytes) return
    const form = new FormData()
    form.set('file', file)
    mutate(form)
  }

  const failure =
    error && (failureMessage(error, i18n) ?? t`The image could not be checked. Try again in a moment.`)
  return (
    <Page
      isText
      title={t`Check an image`}
      intro={t`Find out whether an image comes from ${siteName}, and what its file says about how it was made. The file is not stored.`}
    >
      <div
        className={`stack card ${styles['drop']}`}
        role="presentation"
        data-over={isDropping || undefined}
        {...dropHandlers}
      >
        {url !== null && <img src={url} alt="" className={styles['chosen']} onError={() => setUrl(null)} />}
        <ImageFileButton variant="primary" label={t`Choose an image`} isBusy={isPending} onFile={check}>
          {isPending ? t`Checking…` : t`Choose an image`}
        </ImageFileButton>
        <p className="quiet small">{t`or drop one here. JPEG, PNG or WebP, up to 20 MB.`}</p>
        <Notice>{isTooLarge ? t`This file is larger than 20 MB. Choose a smaller one.` : failure}</Notice>
      </div>
      {data && <Result {...data} />}
    </Page>
  )
}

/** What is known about a file, and what is not. Gets the focus, so that it is read. */
function Result({ match, marks }: RouterOutputs['posts']['verify']) {
  const { i18n, t } = useLingui()
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  const post = match?.post ?? null
  const sentences = marks ? describeMarks(marks, i18n) : []
  return (
    <section ref={section} tabIndex={-1} className="stack" aria-labelledby="verdict">
      <div className={`card padded ${styles['match']}`}>
        {post && !post.isSensitive && <SmallImage image={post} className={`cover ${styles['image']}`} />}
        <div className="stack tight">
          <h2 id="verdict">{verdict()}</h2>
          <p>{details().join(' ')}</p>
          {post && (
            <p className="quiet small">
              <UserText text={post.name} />
            </p>
          )}
          {post && (
            <div>
              <Link href={postPath(post.id)} className={buttonClass('plain')}>{t`View the post`}</Link>
            </div>
          )}
        </div>
      </div>
      <div className="stack tightest">
        <h2>{t`What its file says`}</h2>
        {sentences.length === 0 ? (
          <p>{t`Its file says nothing about how it was made.`}</p>
        ) : (
          <ul className={styles['list']}>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="stack tightest">
        <h2>{t`What is not known`}</h2>
        <p>{t`Anyone can add or remove what a file says. An image without marks can be made by an AI model, too.`}</p>
      </div>
    </section>
  )

  function verdict(): string {
    if (!match) return t`This image is not known here.`
    if (!match.isExact) return t`This image looks like one of this site.`
    return match.source === 'generated'
      ? t`This image was made on this site.`
      : t`This image was shared on this site.`
  }

  function details(): string[] {
    if (!match)
      return [
        t`It is none of the public images of this site, and none of yours. It may have been cropped, or changed too much to be recognized.`,
      ]
    return [
      match.isExact
        ? t`Its bytes are those of the file that this site has.`
        : t`It may be a copy in another size or format. Compare them yourself.`,
      match.isAiMade === true && t`An AI model made it.`,
      match.isAiMade === false && t`A program drew it from the words of a prompt, without an AI model.`,
      match.isOwn && t`It is one of your images.`,
    ].filter((sentence) => sentence !== false)
  }
}

const camera = msg`Its file says that a camera took it.`

const sourceSentences: Readonly<Record<SourceType, MessageDescriptor>> = {
  trainedAlgorithmicMedia: msg`Its file says that an AI model made it.`,
  compositeWithTrainedAlgorithmicMedia: msg`Its file says that it was edited with an AI model.`,
  compositeSynthetic: msg`Its file says that it is put together from parts, some of which a program made.`,
  algorithmicMedia: msg`Its file says that a program drew it, without an AI model.`,
  algorithmicallyEnhanced: msg`Its file says that a program enhanced it.`,
  digitalCreation: msg`Its file says that a person made it with software.`,
  digitalCapture: camera,
  computationalCapture: camera,
}

/** Says in sentences what the metadata of a file says. */
function describeMarks({ sourceType, generator, hasCredentials }: ImageMarks, i18n: I18n): string[] {
  return [
    sourceType && sourceSentences[sourceType],
    generator !== null && msg`Its file contains settings of ${generator}.`,
    hasCredentials && msg`Its file has Content Credentials, whose signature this site does not check.`,
  ].flatMap((sentence) => (sentence ? i18n._(sentence) : []))
}
