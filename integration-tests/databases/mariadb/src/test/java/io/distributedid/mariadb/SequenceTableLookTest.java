package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SequenceTableLookContract;
import java.nio.file.Path;

@Needs(Need.MARIADB)
class SequenceTableLookTest extends SequenceTableLookContract {

    @Override
    protected DatabaseServer start(Path folder, String... options) {
        return MariaDbServer.start(folder, options);
    }
}
