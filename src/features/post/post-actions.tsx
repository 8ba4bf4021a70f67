import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { pagePaths, postPath } from '../../../shared/routes.ts'
import { copyText } from '../../browser/apis.ts'
import { useDownload } from '../../images/download-image.ts'
import { announce, toast } from '../../ui/announcer.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { MoreMenu } from '../../ui/menu.tsx'
import { DownloadIcon, Icon, LikeIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useLike } from './likes.ts'
import { usePostMenu } from './post-menu.tsx'
import { likesText, postTitle } from './post-texts.ts'
import styles from './post-view.module.css'

/** Like, Remix, Share and Download of a post, and a menu with Edit, Delete or Report. */
export function PostActions(props: {
  post: Post
  /** Null while they are loading. */
  details: PostDetails | null
  onDeleted: () => void
}) {
  const { i18n, t } = useLingui()
  const { post, details } = props
  const [dialog, itemsOf] = usePostMenu({
    report: t({ message: 'Report', context: 'action' }),
    remove: t`Delete`,
    onDeleted: props.onDeleted,
  })
  const { failure, download } = useDownload('posts', post.id)
  const like = useLike()
  const share = useShare(post)
  const { credentialsUrl } = details ?? post
  const isLiked = like.waitingId === post.id || details?.isLiked === true
  return (
    <div className="stack wider">
      <div className={styles['buttons']}>
        <Link href={`${pagePaths.create}?remix=${post.id}`} className={buttonClass('primary')}>
          {/* Two arrows in a circle. */}
          <Icon path="M3.5 9A6.6 6.6 0 0 1 15 5.5l1.5 1.75M16.5 3.5v3.75h-3.75M16.5 11A6.6 6.6 0 0 1 5 14.5l-1.5-1.75M3.5 16.5v-3.75h3.75" />
          {t({ message: 'Remix', context: 'action' })}
        </Link>
        <Button aria-pressed={isLiked} aria-keyshortcuts="L" onClick={() => void like.toggle(post.id)}>
          <LikeIcon />
          {isLiked ? t`Liked` : t({ message: 'Like', context: 'action' })}
          {post.likeCount > 0 && <span className="quiet tabular">{likesText(post.likeCount, i18n)}</span>}
        </Button>
        <Button onClick={() => void share.open()}>
          <Icon path="M10 12.5V3M6.5 6 10 2.75 13.5 6M6 9H4.5v8h11V9H14" />
          {share.isCopied ? t`Copied` : t({ message: 'Share', context: 'action' })}
        </Button>
        <Button onClick={() => download()}>
          <DownloadIcon />
          {t({ message: 'Download', context: 'action' })}
        </Button>
        <MoreMenu
          items={[
            credentialsUrl !== null && {
              label: t`Download with Content Credentials`,
              onSelect: () => download(credentialsUrl),
            },
            ...itemsOf(post, details),
          ]}
        />
      </div>
      <Notice>{failure}</Notice>
      {dialog}
    </div>
  )
}

/** Opens the share sheet of the system, or copies the link of a post where there is none. */
function useShare(post: Post) {
  const { i18n, t } = useLingui()
  const [isCopied, setIsCopied] = useState(false)

  async function open() {
    const url = location.origin + postPath(post.id)
    if ('share' in navigator) {
      try {
        return await navigator.share({ title: postTitle(post, i18n), url })
      } catch (error) {
        // Closed by the user.
        if (error instanceof DOMException && error.name === 'AbortError') return
      }
    }
    const hasCopied = await copyText(url)
    setIsCopied(hasCopied)
    if (hasCopied) announce(t`Link copied.`)
    else toast(t`The browser does not allow copying. The link is ${url}`)
  }

  return { isCopied, open }
}
