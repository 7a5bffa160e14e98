package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SequenceTableLookContract;
import java.nio.file.Path;

@Needs(Need.MYSQL)
class SequenceTableLookTest extends SequenceTableLookContract {

    @Override
    protected DatabaseServer start(Path folder, String... options) {
        return MySqlServer.start(folder, options);
    }
}
