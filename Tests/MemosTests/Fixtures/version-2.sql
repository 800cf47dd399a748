-- What version 2 of the database leaves, as sqlite3's .dump writes it.
PRAGMA application_id = 1416458871;
PRAGMA user_version = 2;
CREATE TABLE memos (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT,
    category TEXT,
    file TEXT NOT NULL,
    format TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL,
    show_at INTEGER NOT NULL,
    expire_at INTEGER NOT NULL,
    recorder INTEGER,
    rate INTEGER,
    channels INTEGER,
    bits INTEGER,
    frames INTEGER,
    bytes INTEGER,
    peak_decibels REAL,
    clips INTEGER,
    gap_frames INTEGER,
    interrupted INTEGER,
    heard_at INTEGER,
    first_frame INTEGER,
    end_frame INTEGER,
    position INTEGER,
    loudness REAL
, announced_at INTEGER, reminded_at INTEGER) STRICT;
INSERT INTO memos VALUES(1,'Begin with the hardest thing','courage','1-1796036400026-1796079600000-1796166000000.flac','flac',1796036400026,3600,1796079600000,1796166000000,NULL,48000,1,16,24000,48142,-0.5,3,0,0,NULL,100,20000,5000,-21.5,1796100000000,NULL);
INSERT INTO memos VALUES(2,NULL,NULL,'2-1796040000013-1796079600000-1796166000000.flac','flac',1796040000013,3600,1796079600000,1796166000000,NULL,48000,1,16,12000,24115,-0.5,0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memos VALUES(3,'interrupted',NULL,'3-1796040100010-1796079600000-1796166000000.flac','flac',1796040100010,3600,1796079600000,1796166000000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE waveforms (
    memo INTEGER PRIMARY KEY,
    pairs BLOB NOT NULL
) STRICT;
INSERT INTO waveforms VALUES(1,X'0001ff7f0203');
INSERT INTO waveforms VALUES(2,X'0001ff7f0203');
CREATE TABLE markers (
    memo INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    text TEXT
) STRICT;
INSERT INTO markers VALUES(1,4000,'the point');
INSERT INTO markers VALUES(1,9000,NULL);
CREATE TABLE state (
    active_at INTEGER,
    leapt_at INTEGER,
    expired_at INTEGER,
    expiry_worked INTEGER,
    seal INTEGER,
    sealed_count INTEGER
) STRICT;
INSERT INTO state VALUES(1796040100010,NULL,1796040300000,1,NULL,NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('memos',7);
CREATE INDEX markers_by_memo ON markers (memo);
CREATE INDEX memos_unfinished ON memos (id) WHERE frames IS NULL;
CREATE INDEX memos_by_expiry ON memos (expire_at, bytes);
